/* The page of a preview: fetches the faces, shows them, and replaces only those that have changed. */
(function () {
  "use strict";
  const root = document.documentElement;
  const one = (selector, from) => (from || document).querySelector(selector);
  const all = (selector, from) => Array.from((from || document).querySelectorAll(selector));
  const faces = one("#faces"), form = one("#choices"), status = one("#status");
  const SVG = "http://www.w3.org/2000/svg";
  let last = null;

  function make(tag, attributes, ...inside) {
    const made = tag.startsWith("svg:") ? document.createElementNS(SVG, tag.slice(4)) : document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) if (value !== null) made.setAttribute(name, value);
    made.append(...inside);
    return made;
  }
  const remembered = name => { try { return localStorage.getItem(name); } catch { return null; } };
  const remember = (name, value) => { try { value === null ? localStorage.removeItem(name) : localStorage.setItem(name, value); } catch { /* a private window forgets */ } };
  const many = (count, word, words) => count + " " + (count === 1 ? word : words || word + "s");
  const short = number => String(Math.round(number * 100) / 100);

  /* Light or dark, as on the site */
  root.classList.add("js");
  const paper = remembered("grimalkin-paper"), dark = matchMedia("(prefers-color-scheme: dark)");
  if (paper) root.dataset.paper = paper;
  one("#paper").addEventListener("click", () => {
    const now = root.dataset.paper || (dark.matches ? "night" : "day");
    root.dataset.paper = now === "night" ? "day" : "night";
    remember("grimalkin-paper", root.dataset.paper);
  });

  /* True size: the factor between a millimetre of the browser and a real one on this screen */
  const scale = one("#scale"), dialog = one("#measuring");
  const setTrue = factor => root.style.setProperty("--true", factor);
  const tryScale = () => dialog.style.setProperty("--trying", scale.value);
  const known = parseFloat(remembered("grimalkin-true-size"));
  if (known > 0) setTrue(scale.value = known);
  one("#measure").addEventListener("click", () => { tryScale(); dialog.showModal(); });
  scale.addEventListener("input", tryScale);
  one("#forget").addEventListener("click", () => { scale.value = 1; tryScale(); });
  dialog.addEventListener("close", () => {
    if (dialog.returnValue !== "done") { scale.value = known > 0 ? known : 1; return; }
    setTrue(scale.value);
    remember("grimalkin-true-size", scale.value);
  });

  /* Keep the designer's choices in the page's address, so that they survive a reload */
  const asked = new URLSearchParams(location.hash.slice(1));
  for (const [name, value] of asked) {
    for (const field of all(`[name="${CSS.escape(name)}"]`, form)) {
      if (field.type === "radio" || field.type === "checkbox") field.checked = field.value === value || value === "on";
      else field.value = value;
    }
  }
  if (matchMedia("(max-width: 47.99rem)").matches) one(".choices").open = false;
  const chosen = name => new FormData(form).get(name);
  function choose() {
    for (const name of ["cut", "safe", "bleed", "boxes"]) faces.classList.toggle("show-" + name, chosen(name) === "on");
    root.style.setProperty("--zoom", chosen("zoom"));
    const kept = new URLSearchParams(new FormData(form));
    history.replaceState(null, "", "#" + kept);
    filter();
  }
  function filter() {
    const wanted = (chosen("find") || "").trim().toLowerCase(), sides = chosen("sides");
    let shown = 0, total = 0;
    for (const deck of all(".deck", faces)) {
      let some = false;
      for (const item of all(".faces > li", deck)) {
        const hit = (sides === "both" || item.dataset.side === sides) && item.dataset.words.includes(wanted);
        item.hidden = !hit;
        some = some || hit;
        total += 1;
        shown += hit ? 1 : 0;
      }
      deck.hidden = !some;
    }
    one("#count").textContent = shown === total ? many(total, "face") : `${shown} of ${many(total, "face")}`;
  }
  form.addEventListener("submit", event => event.preventDefault());
  form.addEventListener("input", event => { choose(); if (event.target.name === "inks") look(); });
  document.addEventListener("keydown", event => {
    if (event.key === "/" && !/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName)) {
      event.preventDefault();
      one(".choices").open = true;
      one("#find").focus();
    }
  });

  /* Fetch a picture when its place comes near the window, and again when it has changed */
  const near = new IntersectionObserver(entries => {
    for (const entry of entries) {
      entry.target.near = entry.isIntersecting;
      if (entry.isIntersecting) draw(entry.target).catch(lost);
    }
  }, { rootMargin: "800px" });

  /* Load each font on first use, from the file that fitting measured */
  const types = new Set();
  function setType(picture) {
    for (const name of all("[font-family]", picture).map(text => text.getAttribute("font-family"))) {
      if (types.has(name)) continue;
      types.add(name);
      document.fonts.add(new FontFace(name, `url("/type/${name}")`));
    }
  }

  /* Wait for the pictures on a face, so that it never appears without them */
  const arrived = image => new Promise(done => {
    const picture = new Image();
    picture.onload = picture.onerror = done;
    picture.src = image.getAttribute("href");
  });

  async function draw(item) {
    const wanted = item.dataset.wanted;
    if (!item.near || item.asking === wanted || item.dataset.drawn === wanted) return;
    item.asking = wanted;
    const [inks, face] = [chosen("inks"), item.face];
    const answer = await fetch("face.svg?" + new URLSearchParams({ inks: inks, id: face.id, v: face.fingerprint }));
    const picture = new DOMParser().parseFromString(await answer.text(), "image/svg+xml").documentElement;
    if (answer.ok) await Promise.all(all("image", picture).map(arrived));
    if (item.asking === wanted) item.asking = null;
    if (item.dataset.wanted !== wanted || !answer.ok) return;
    const piece = one(".piece", item), before = one("svg.face", piece);
    picture.classList.add("face");
    setType(picture);
    if (before) before.replaceWith(document.adoptNode(picture));
    else piece.prepend(document.adoptNode(picture));
    const stock = item.stock, again = item.dataset.drawn && item.dataset.drawn.split(" ")[0] === inks;
    one(".lines", piece).replaceWith(lines(face, stock));
    item.dataset.drawn = wanted;
    item.classList.remove("changed");
    if (again) { void item.offsetWidth; item.classList.add("changed"); }
  }

  function lines(face, stock) {
    const b = stock.bleed;
    const box = `${-b} ${-b} ${stock.width + 2 * b} ${stock.height + 2 * b}`;
    const made = make("svg:svg", { class: "lines", viewBox: box, "aria-hidden": "true" });
    for (const kind of ["bleed", "cut", "safe"]) made.append(make("svg:path", { class: kind + "-line", d: (face.side === "back" ? stock.behind : stock.lines)[kind] }));
    const size = Math.min(2.1, stock.width / 14);
    for (const text of face.boxes) {
      const group = make("svg:g", { transform: text.transform || null });
      group.append(make("svg:rect", { class: "box", x: text.x, y: text.y, width: text.width, height: text.height }));
      const label = make("svg:text", { class: "label", x: text.x, y: text.y + text.height - size * 0.2 }, `${text.name} ${points(text)}`);
      label.style.fontSize = size + "px";
      group.append(label);
      made.append(group);
    }
    return made;
  }
  const points = text => text.size === null ? "empty" : text.size < text.asked ? `${short(text.size)} of ${short(text.asked)} pt` : `${short(text.size)} pt`;

  /* Create a face once, then change it in place */
  function place(item, face, stock) {
    item.face = face;
    item.stock = stock;
    item.dataset.side = face.side;
    item.dataset.words = (face.names.join("\n") + "\n" + face.id).toLowerCase();
    item.dataset.wanted = chosen("inks") + " " + face.fingerprint;
    item.classList.toggle("old", face.old);
    item.style.setProperty("--w", stock.width + 2 * stock.bleed);
    item.style.setProperty("--h", stock.height + 2 * stock.bleed);
    const caption = one(".caption", item), shared = face.names.length > 1;
    const name = make("b", {}, shared ? `${face.side === "back" ? "Back" : "Front"} of ${many(face.names.length, "design")}` : face.names[0]);
    const side = make("span", {}, (shared ? "" : face.side + " ") + "× " + face.count);
    const list = make("ul", { "aria-label": "Text boxes" });
    for (const text of face.boxes) {
      const tight = text.size !== null && text.size < text.asked;
      list.append(make("li", { class: tight ? "tight" : null }, `${text.name}: ${short(text.width)} × ${short(text.height)} mm, ${points(text)}, floor ${short(text.floor)} pt`));
    }
    caption.replaceChildren(name, side, ...(face.old ? [make("span", { class: "stays" }, "last good version")] : []), list);
    draw(item).catch(lost);
  }

  function show(what) {
    const changes = { faces: 0 };
    one("#title").textContent = what.title;
    document.title = what.title + " · preview";
    keep(faces, what.decks.filter(deck => deck.faces.length), "deck", deck => {
      const section = make("section", { class: "deck", "aria-labelledby": "deck-" + deck.id });
      section.append(make("h2", { id: "deck-" + deck.id }), make("p"), make("ul", { class: "faces", role: "list" }));
      return section;
    }, (section, deck) => {
      one("h2", section).textContent = deck.name;
      const stocks = [...new Set(deck.faces.map(face => what.stocks[face.stock].name))];
      one("p", section).textContent = `${many(deck.count, "piece")} · ${stocks.join(" · ")}`;
      keep(one(".faces", section), deck.faces, "face", () => {
        const item = make("li", {}, make("div", { class: "scroller" }, make("div", { class: "piece" }, make("svg:svg", { class: "lines" }))), make("div", { class: "caption" }));
        near.observe(item);
        return item;
      }, (item, face) => {
        const wanted = chosen("inks") + " " + face.fingerprint;
        if (item.dataset.wanted && item.dataset.wanted !== wanted) changes.faces += 1;
        place(item, face, what.stocks[face.stock]);
      });
    });
    filter();
    tell(what.problems, what.remarks);
    return changes;
  }

  /* Put children in order by their id; existing ones stay the same element */
  function keep(parent, wanted, kind, create, change) {
    const there = new Map(Array.from(parent.children).map(child => [child.dataset.id, child]));
    let spot = parent.firstElementChild;
    for (const thing of wanted) {
      let child = there.get(thing.id);
      there.delete(thing.id);
      if (!child) { child = create(thing); child.dataset.id = thing.id; }
      if (child === spot) spot = spot.nextElementSibling;
      else parent.insertBefore(child, spot);
      change(child, thing);
    }
    for (const gone of there.values()) { if (kind === "face") near.unobserve(gone); gone.remove(); }
  }

  function tell(problems, remarks) {
    const messages = one("#messages"), text = JSON.stringify([problems, remarks]);
    if (messages.dataset.told === text) return;
    messages.dataset.told = text;
    for (const [panel, told] of [["#problems", problems], ["#remarks", remarks]]) {
      one(panel).hidden = told.length === 0;
      one(panel + " ol").replaceChildren(...told.map(listed));
    }
    one("#problems-title").textContent = many(problems.length, "problem") + "; the last good faces are still shown";
    one("#remarks summary").textContent = many(remarks.length, "remark");
    messages.hidden = problems.length + remarks.length === 0;
    makeRoom();
  }
  const makeRoom = () => { document.body.style.paddingBottom = one("#messages").hidden ? "" : one("#messages").offsetHeight + 24 + "px"; };
  one("#remarks").addEventListener("toggle", makeRoom);
  const listed = problem => make("li", {},
    make("code", {}, problem.place), " " + problem.message,
    ...(problem.hint ? [make("span", { class: "hint" }, "; " + problem.hint)] : []),
    ...(problem.also ? [" (see also ", make("code", {}, problem.also), ")"] : []));

  let looking = Promise.resolve();
  function look() { looking = looking.then(lookNow).catch(lost); return looking; }
  async function lookNow() {
    const answer = await fetch("show.json?inks=" + chosen("inks"));
    const what = await answer.json();
    const first = last === null, changes = show(what);
    last = what.number;
    status.classList.remove("lost");
    const time = new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit" });
    if (what.problems.length) status.textContent = `${many(what.problems.length, "problem")} at ${time}`;
    else status.textContent = first ? "Waiting for changes" : `Updated at ${time}: ${many(changes.faces, "face")} changed`;
  }
  function lost() {
    status.classList.add("lost");
    status.textContent = "The preview has ended; start it again";
  }

  choose();
  const events = new EventSource("events");
  events.addEventListener("message", look);
  events.addEventListener("error", lost);
})();
