/* Shows the target of a link in brief beside it: for a resting mouse, the keyboard focus, or a long press.

   Loaded when a link is first pointed at, with the file of the game. https://www.w3.org/TR/WCAG21/#content-on-hover-or-focus:
   Escape closes it, the mouse may enter it, and it stays until the mouse or the focus has left. */
(function () {
  "use strict";
  var g = window.grimalkin, all = g.all, site = new URL(g.base + "/", location.href).href;
  var game = location.href.slice(site.length).split("/")[0], folder = site + game + "/";
  var REST = 250, LEAVE = 250, PRESS = 500, EDGE = 8, STRAY = 12;
  var data, box, link, dismissed, coming, going, pressing, pressed;

  function own(from, id) { return from && Object.prototype.hasOwnProperty.call(from, id) ? from[id] : undefined; }
  function lookUp(to) {
    /* Return the data of the target, unless the link is inside it or beside its picture. */
    var parts = to.href.split("#"), id = parts[1] || "";
    if (!id || !parts[0].startsWith(folder) || to.closest("dialog,.gallery tbody,.preview")) return null;
    var there = parts[0] === location.href.split("#")[0] && document.getElementById(id);
    if (there && (there.closest(".rule,.plain-rule,.term-row,.piece-row,.entry,.node") || there).contains(to)) return null;
    var kinds = parts[0] === folder + "terms.html" ? ["terms"] : ["laws", "cards"];
    var kind = kinds.find(function (kind) { return own(data[kind], id); });
    return kind ? { kind: kind, id: id, told: data[kind][id] } : null;
  }
  function linkOf(event) {
    var to = event.target.closest && event.target.closest("main a[href*='#']");
    return to && lookUp(to) ? to : null;
  }

  function line(name, text, parent) {
    if (!text) return null;
    var p = document.createElement("p");
    p.className = name;
    p.textContent = text;
    parent.append(p);
    return p;
  }
  function filled(found, to, touched) {
    var made = document.createElement("div"), words = made, told = found.told;
    made.className = "preview";
    made.id = "preview";
    made.setAttribute("role", touched ? "group" : "tooltip");
    if (found.kind === "cards") {
      words = document.createElement("div");
      if (told[2]) {
        var picture = document.createElement("img");
        picture.src = folder + "faces/" + found.id + "-front.svg";
        picture.width = told[2][0] * 7;
        picture.height = told[2][1] * 7;
        picture.alt = "";
        if (told[2][2]) picture.className = "circle";
        made.append(picture);
      }
      made.append(words);
      line("which", data.decks[told[1]], words);
      line("called", told[0], words);
      line("says", told[3], words);
    } else if (found.kind === "terms") {
      line("which", data.said.term, words);
      line("called", told[0], words);
      line("says", told[1], words);
    } else {
      line("which", (told[0] ? data.said.ruling : data.said.rule) + " · " + found.id, words);
      var number = document.createElement("b");
      number.textContent = told[1];
      line("called", told[2], words).prepend(number);
      line("says", told[3], words);
      line("whence", data.origins[told[4]], words);
    }
    if (touched) {
      var lead = document.createElement("a");
      lead.href = to.href;
      lead.textContent = data.said["preview-open"];
      line("lead", " ", words).replaceChildren(lead);
      made.setAttribute("aria-label", one(".called", made));
      lead.addEventListener("click", hide);
    }
    return made;
  }
  function one(selector, from) { return g.one(selector, from).textContent; }

  function show(to, touched, x) {
    var found = lookUp(to);
    hide();
    if (!found) return;
    link = to;
    box = filled(found, to, touched);
    box.dataset.touched = touched ? "yes" : "";
    document.body.append(box);
    place(to, x);
    to.setAttribute("aria-describedby", box.id);
  }
  function place(to, x) {
    /* Place it below the line under the pointer, or above if there is more room; within the window. */
    var lines = Array.from(to.getClientRects()), at = lines.find(function (r) { return x >= r.left && x <= r.right; }) || lines[0];
    var root = document.documentElement, wide = box.offsetWidth, high = box.offsetHeight;
    var below = root.clientHeight - at.bottom - 2 * EDGE, above = at.top - 2 * EDGE, up = high > below && above > below;
    var room = Math.max(up ? above : below, 6 * EDGE);
    if (high > room) box.style.maxHeight = room + "px";
    high = Math.min(high, room);
    var left = Math.max(EDGE, Math.min(at.left, root.clientWidth - wide - EDGE));
    box.style.left = left + scrollX + "px";
    box.style.top = (up ? at.top - high - EDGE / 2 : at.bottom + EDGE / 2) + scrollY + "px";
  }
  function hide() {
    clearTimeout(coming);
    clearTimeout(going);
    if (link && box) link.removeAttribute("aria-describedby");
    if (box) box.remove();
    box = link = null;
  }
  function leave() {
    clearTimeout(coming);
    if (box && !going) going = setTimeout(function () { going = 0; hide(); }, LEAVE);
  }
  function stay() {
    clearTimeout(going);
    going = 0;
  }

  function over(event) {
    if (event.pointerType === "touch" || box && box.dataset.touched) return;
    var to = linkOf(event);
    if (dismissed && to !== dismissed) dismissed = null;
    if (box && (box.contains(event.target) || to === link)) { stay(); return; }
    clearTimeout(coming);
    if (to && to !== dismissed) {
      coming = setTimeout(function () { stay(); show(to, false, event.clientX); }, REST);
    } else if (link !== document.activeElement) leave();
  }
  function focused(event) {
    var to = linkOf(event);
    if (to && to.matches(":focus-visible")) show(to);
    else if (box && to !== link && !box.contains(event.target)) hide();
  }
  function press(event) {
    pressed = null;
    clearTimeout(pressing);
    if (box && !box.contains(event.target)) hide();
    if (event.pointerType !== "touch") return;
    var to = linkOf(event), x = event.clientX, y = event.clientY;
    if (!to) return;
    function end(moved) {
      if (moved.type === "pointermove" && Math.hypot(moved.clientX - x, moved.clientY - y) < STRAY) return;
      clearTimeout(pressing);
      ["pointermove", "pointerup", "pointercancel"].forEach(function (kind) { removeEventListener(kind, end); });
    }
    ["pointermove", "pointerup", "pointercancel"].forEach(function (kind) { addEventListener(kind, end); });
    pressing = setTimeout(function () { hold(to, x); }, PRESS);
  }
  function hold(to, x) {
    clearTimeout(pressing);
    if (pressed === to) return;
    pressed = to;
    show(to, true, x);
  }

  function ready() {
    all("main a[href*='#']").filter(lookUp).forEach(function (to) {
      /* The preview replaces the tooltip. */
      to.removeAttribute("title");
      to.classList.add("previewed");
    });
    addEventListener("pointerover", over);
    document.documentElement.addEventListener("pointerleave", function (event) { if (event.pointerType !== "touch") leave(); });
    addEventListener("pointerdown", press);
    addEventListener("contextmenu", function (event) {
      /* A long press shows the preview; the link inside it offers the browser's menu. */
      var to = event.pointerType === "touch" && linkOf(event);
      if (!to) return;
      event.preventDefault();
      hold(to, event.clientX);
    });
    addEventListener("click", function (event) {
      if (pressed && pressed.contains(event.target)) event.preventDefault();
      pressed = null;
    }, true);
    addEventListener("focusin", focused);
    addEventListener("focusout", function (event) { if (event.target === link && !box.dataset.touched && !link.matches(":hover")) hide(); });
    addEventListener("keydown", function (event) {
      if (event.key !== "Escape" || !box) return;
      var to = link;
      event.stopPropagation();
      hide();
      dismissed = to;
    }, true);
    addEventListener("resize", hide);
    var first = g.pointed, to = first && linkOf(first);
    if (to && to.matches(":focus-visible")) show(to);
    else if (to && to.matches(":hover") && first.pointerType !== "touch") show(to, false, first.clientX);
  }
  var sheet = document.createElement("link");
  sheet.rel = "stylesheet";
  sheet.href = g.base + "/assets/preview.css";
  sheet.onload = function () {
    g.load(g.base + "/assets/previews/" + game + ".js", function () {
      data = window.grimalkinPreviews[game];
      ready();
    });
  };
  document.head.append(sheet);
})();
