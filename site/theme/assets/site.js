/* The few things that need a script: paper or night, the menu, the search, the stepper. Everything is readable without. */
(function () {
  "use strict";
  var root = document.documentElement;
  var base = root.dataset.base || ".";
  function one(selector, from) { return (from || document).querySelector(selector); }
  function all(selector, from) { return Array.from((from || document).querySelectorAll(selector)); }

  /* Paper or night: what the reader chose, else what the device prefers. */
  var dark = matchMedia("(prefers-color-scheme: dark)");
  one(".switch").addEventListener("click", function () {
    var now = root.dataset.paper || (dark.matches ? "night" : "day");
    root.dataset.paper = now === "night" ? "day" : "night";
    try { localStorage.setItem("grimalkin-paper", root.dataset.paper); } catch (e) { /* a private window forgets */ }
  });

  /* The menu lies open where there is room for it. */
  var menu = one(".menu"), roomy = matchMedia("(min-width: 72rem)");
  if (menu) {
    var fit = function () { menu.open = roomy.matches; };
    fit();
    roomy.addEventListener("change", fit);
    var here = one("[aria-current]", menu);
    if (here && roomy.matches && here.offsetTop > menu.clientHeight / 2) menu.scrollTop = here.offsetTop - 120;
  }

  /* Print everything that is folded. */
  addEventListener("beforeprint", function () {
    all("main details:not([open])").forEach(function (d) { d.open = true; d.dataset.shut = ""; });
  });
  addEventListener("afterprint", function () {
    all("details[data-shut]").forEach(function (d) { d.open = false; delete d.dataset.shut; });
  });

  /* Search: the index is fetched when the field is first used. Plain scripts, since pages from disk cannot fetch data. */
  var field = one("#q"), found = one("#found"), status = one("p", found), list = one("ol", found);
  var said = JSON.parse(field.dataset.said), docs, index, waiting;
  function load(name, then) {
    var script = document.createElement("script");
    script.src = base + "/assets/" + name;
    script.onload = then;
    document.head.append(script);
  }
  function prepare() {
    if (waiting) return;
    waiting = true;
    load("lunr.js", function () {
      load("search-index.js", function () {
        docs = window.grimalkinIndex.map(function (d, i) {
          return { i: i, at: d[0], title: d[1], text: d[2], kind: d[3], page: d[4], id: d[0].split("#")[1] || "" };
        });
        index = build(window.lunr);
        if (field.value.trim()) search();
      });
    });
  }
  function words(text) { return text.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean); }
  function build(lunr) {
    /* Each word is kept as it is, for prefixes while typing, and as its stem, for its other forms. */
    function forms(token) { return [token.clone(), lunr.stemmer(token.clone())]; }
    lunr.Pipeline.registerFunction(forms, "forms");
    var weights = { term: 3, rule: 2.5, ruling: 1.6, component: 1.6 };
    return lunr(function () {
      var builder = this;
      builder.tokenizer.separator = /[^\p{L}\p{N}]+/u;
      builder.pipeline.reset();
      builder.pipeline.add(forms);
      builder.ref("i");
      builder.field("title", { boost: 8 });
      builder.field("text");
      docs.forEach(function (d) { builder.add(d, { boost: weights[d.kind] || 1 }); });
    });
  }
  function matches(word) {
    var lunr = window.lunr, stem = lunr.stemmer(new lunr.Token(word, {})).toString(), scores = new Map();
    index.query(function (q) {
      q.term(word, { boost: 8, usePipeline: false });
      if (stem !== word) q.term(stem, { boost: 4, usePipeline: false });
      q.term(word, { boost: 1, wildcard: lunr.Query.wildcard.TRAILING, usePipeline: false });
    }).forEach(function (r) { scores.set(+r.ref, r.score); });
    return scores;
  }
  function rank(text) {
    /* Ids and titles first, then what lunr finds in the text. Every word must be there. */
    var q = text.trim().toLowerCase(), asked = words(text), total = new Map();
    asked.map(matches).forEach(function (scores, n) {
      if (n === 0) { total = scores; return; }
      total.forEach(function (score, i) {
        if (scores.has(i)) total.set(i, score + scores.get(i)); else total.delete(i);
      });
    });
    docs.forEach(function (d) {
      var id = d.id.toLowerCase(), title = d.title.toLowerCase(), bare = title.replace(/^[\w.]*\d\s+/, ""), bonus = 0;
      if (d.kind && (id === q || id.endsWith("-" + q))) bonus = 1000;
      else if (d.kind && q.length > 2 && ("-" + id).includes("-" + q)) bonus = 300 - id.length;
      if (title.split(" ")[0] === q && /\d/.test(q)) bonus = Math.max(bonus, 900);
      if (bare === q) bonus = Math.max(bonus, d.kind ? 500 : 400);
      else if (bare.startsWith(q)) bonus = Math.max(bonus, 200);
      if (d.kind === "term" && words(d.text.split("Also: ")[1] || "").join(" ").split(" ").includes(q)) bonus = Math.max(bonus, 350);
      if (bonus) total.set(d.i, (total.get(d.i) || 0) + bonus);
    });
    return Array.from(total).sort(function (a, b) { return b[1] - a[1] || a[0] - b[0]; }).map(function (p) { return docs[p[0]]; });
  }
  function marked(text, asked, parent) {
    /* Text with the words that were asked for marked; built from text nodes, so nothing in it can become markup. */
    var pattern = asked.map(function (word) { return word.replace(/[^\p{L}\p{N}]/gu, ""); }).filter(Boolean).join("|");
    var parts = pattern ? text.split(new RegExp("(?<![\\p{L}\\p{N}])(" + pattern + ")", "iu")) : [text];
    parts.forEach(function (part, n) {
      if (n % 2) { var m = document.createElement("mark"); m.textContent = part; parent.append(m); } else parent.append(part);
    });
  }
  function snippet(text, asked) {
    var low = text.toLowerCase(), at = -1;
    asked.forEach(function (word) { var i = low.indexOf(word); if (i >= 0 && (at < 0 || i < at)) at = i; });
    var from = Math.max(0, at - 50);
    if (from) from = text.indexOf(" ", from) + 1;
    return (from ? "… " : "") + text.slice(from, from + 150) + (text.length > from + 150 ? " …" : "");
  }
  function search() {
    var q = field.value.trim();
    list.textContent = "";
    found.hidden = !q;
    if (!q) return;
    if (!index) { status.textContent = said["search-wait"]; prepare(); return; }
    var hits = rank(q), asked = words(q);
    var text = hits.length ? hits.length === 1 ? said["search-one"] : said["search-some"] : said["search-none"];
    status.textContent = text.replace("{n}", hits.length).replace("{q}", q);
    hits.slice(0, 30).forEach(function (d) {
      var item = document.createElement("li"), link = document.createElement("a");
      var title = document.createElement("b"), where = document.createElement("span"), line = document.createElement("span");
      link.href = base + "/" + d.at;
      marked(d.title, asked, title);
      where.className = "where";
      where.textContent = [d.kind, d.kind && /-/.test(d.id) ? d.id : "", d.page].filter(Boolean).join(" · ");
      line.className = "line";
      marked(snippet(d.text, asked), asked, line);
      link.append(title, where, line);
      item.append(link);
      list.append(item);
    });
  }
  field.addEventListener("focus", prepare);
  field.addEventListener("input", search);
  field.form.addEventListener("submit", function (event) {
    event.preventDefault();
    var best = one("a", list);
    if (best && !found.hidden) { found.hidden = true; location.href = best.href; }
  });
  field.addEventListener("focus", function () { if (field.value.trim()) search(); });
  one(".seek").addEventListener("keydown", function (event) {
    var stops = [field].concat(all("a", list)), at = stops.indexOf(document.activeElement);
    if (event.key === "Escape") { found.hidden = true; field.focus(); found.hidden = true; return; }
    var step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && !found.hidden && stops[at + step]) { event.preventDefault(); stops[at + step].focus(); }
  });
  document.addEventListener("click", function (event) {
    if (!one(".seek").contains(event.target) || event.target.closest("#found a")) found.hidden = true;
  });
  document.addEventListener("keydown", function (event) {
    if (event.key === "/" && !/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName)) { event.preventDefault(); field.focus(); }
  });
  var asked = new URLSearchParams(location.search).get("q");
  if (asked) { field.value = asked; search(); }

  /* A position can also be read: the words of its picture, on demand. */
  all("main p > img.table").forEach(function (picture) {
    var words = document.createElement("details"), summary = document.createElement("summary"), text = document.createElement("p");
    summary.textContent = said["search-in-words"];
    text.textContent = picture.alt;
    words.className = "in-words";
    words.append(summary, text);
    picture.parentElement.after(words);
  });

  /* The stepper: one picture that follows the step chosen. */
  var stepper = one(".stepper"), tables = window.grimalkinTables;
  if (stepper && tables) {
    var picture = one("img", stepper), spoken = one(".said", stepper);
    var steps = all(".play li[id^=step-]").filter(function (step) { return tables[step.id]; });
    var start = [picture.getAttribute("src"), picture.alt], chosen = -1;
    var still = matchMedia("(prefers-reduced-motion: reduce)");
    var show = function (next, quiet) {
      next = Math.max(-1, Math.min(steps.length - 1, next));
      if (steps[chosen]) steps[chosen].classList.remove("now");
      chosen = next;
      var step = steps[chosen], table = step ? tables[step.id] : start;
      picture.src = table[0];
      picture.alt = table[1];
      spoken.textContent = step ? chosen + 1 + ". " + step.innerText.replace(/\s+/g, " ") : "";
      if (!step) return;
      step.classList.add("now");
      if (!quiet) step.scrollIntoView({ block: "center", behavior: still.matches ? "auto" : "smooth" });
      var ahead = steps[chosen + 1];
      if (ahead) new Image().src = tables[ahead.id][0];
    };
    stepper.hidden = false;
    document.body.classList.add("stepping");
    all("[data-go]", stepper).forEach(function (button) {
      button.addEventListener("click", function () { show(chosen + Number(button.dataset.go)); });
    });
    steps.forEach(function (step, n) {
      step.addEventListener("click", function (event) { if (!event.target.closest("a")) show(n, true); });
    });
    document.addEventListener("keydown", function (event) {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName)) return;
      var go = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (go) { event.preventDefault(); show(chosen + go); }
    });
    var named = steps.findIndex(function (step) { return "#" + step.id === location.hash; });
    if (named >= 0) show(named);
  }
})();
