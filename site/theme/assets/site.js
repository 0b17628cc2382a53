/* The few things that need a script: light or dark, the menu, the search, the previews, the stepper. Everything is readable without it. */
(function () {
  "use strict";
  var root = document.documentElement;
  var base = root.dataset.base || ".";
  function one(selector, from) { return (from || document).querySelector(selector); }
  function all(selector, from) { return Array.from((from || document).querySelectorAll(selector)); }

  /* Light or dark: the reader's choice, otherwise the device's preference. */
  var dark = matchMedia("(prefers-color-scheme: dark)");
  one(".switch").addEventListener("click", function () {
    var now = root.dataset.paper || (dark.matches ? "night" : "day");
    root.dataset.paper = now === "night" ? "day" : "night";
    try { localStorage.setItem("grimalkin-paper", root.dataset.paper); } catch (e) { /* a private window forgets */ }
  });

  /* Open the menu where there is room. */
  var menu = one(".menu"), roomy = matchMedia("(min-width: 72rem)");
  if (menu) {
    var fit = function () { menu.open = roomy.matches; };
    fit();
    roomy.addEventListener("change", fit);
    var here = one("[aria-current]", menu);
    if (here && roomy.matches && here.offsetTop > menu.clientHeight / 2) menu.scrollTop = here.offsetTop - 120;
  }

  /* Unfold everything for printing. */
  addEventListener("beforeprint", function () {
    all("main details:not([open],.spoiler)").forEach(function (d) { d.open = true; d.dataset.shut = ""; });
  });
  addEventListener("afterprint", function () {
    all("details[data-shut]").forEach(function (d) { d.open = false; delete d.dataset.shut; });
  });

  /* The target of an address may be folded, and not all browsers unfold it; or its picture may be above its name. */
  function target() {
    var id = location.hash.slice(1);
    /* a stray % cannot be decoded */
    try { id = decodeURIComponent(id); } catch (e) {}
    return document.getElementById(id);
  }
  function uncover() {
    var there = target(), fold = there, folded = false;
    /* What is not on this page may be elsewhere by now. */
    if (!there && location.hash) load(base + "/assets/seek.js");
    var row = there && there.closest(".piece-row,.entry"), seen = row && there.getBoundingClientRect().top < innerHeight;
    while (fold && (fold = fold.parentElement.closest("details:not([open])"))) folded = fold.open = true;
    if (folded || seen) (row || there).scrollIntoView();
  }
  addEventListener("hashchange", uncover);
  addEventListener("load", uncover);

  /* Offer the words of a position's picture, on demand. */
  all("main p > img.table").forEach(function (picture) {
    var words = document.createElement("details"), summary = document.createElement("summary"), text = document.createElement("p");
    summary.textContent = root.dataset.inWords;
    text.textContent = picture.alt;
    words.className = "in-words";
    words.append(summary, text);
    picture.parentElement.after(words);
  });

  /* Load the rest on demand, as plain scripts: pages opened from disk cannot fetch data. */
  window.grimalkin = { base: base, one: one, all: all, load: load, target: target };
  function load(name, then, lost) {
    var script = document.createElement("script");
    script.src = name;
    script.onload = then || null;
    script.onerror = lost || null;
    document.head.append(script);
  }
  var field = one("#q"), called = false;
  function search() {
    if (!called) load(base + "/assets/search.js", null, function () { called = false; });
    called = true;
  }
  field.addEventListener("focus", search);
  field.form.addEventListener("submit", function (event) { event.preventDefault(); });
  document.addEventListener("keydown", function (event) {
    if (event.key === "/" && !/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName)) {
      event.preventDefault();
      field.focus();
    }
  });
  var asked = new URLSearchParams(location.search).get("q");
  if (asked) { field.value = asked; search(); }
  /* Show previews of a game's links, loaded when the first one is pointed at. */
  function point(event) {
    if (event.target.closest && (event.pointerType === "touch" || event.target.closest("main a[href*='#']"))) {
      if (!window.grimalkin.pointed) load(base + "/assets/preview.js");
      window.grimalkin.pointed = event;
    }
  }
  if (!/^(written|home|lost)$/.test(root.dataset.kind)) {
    addEventListener("pointerover", point);
    addEventListener("focusin", point);
  }
  if (!location.host) load(base + "/assets/disk.js");
  if (one(".stepper")) load(base + "/assets/stepper.js");
  if (one(".gallery")) load(base + "/assets/gallery.js");
  if (one(".views")) load(base + "/assets/views.js");
})();
