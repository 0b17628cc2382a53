/* A reader's choices: with or without examples, rules in brief or in full. Links also unfold their targets. */
(function () {
  "use strict";
  var g = window.grimalkin, root = document.documentElement, buttons = g.all(".views button");

  function tell() {
    buttons.forEach(function (button) {
      button.setAttribute("aria-pressed", String((root.dataset[button.dataset.name] || "") === button.dataset.value));
    });
  }

  /* A choice applies to every page; an address with ?short shows others the same view. */
  buttons.forEach(function (button) {
    button.addEventListener("click", function () {
      var name = button.dataset.name, value = button.dataset.value;
      root.dataset[name] = value;
      try { localStorage.setItem("grimalkin-" + name, value); } catch (e) { /* a private window forgets */ }
      tell();
      address();
    });
  });

  function address() {
    if (root.dataset.kind !== "rules") return;
    try {
      history.replaceState(history.state, "", location.pathname + (root.dataset.rules ? "?" + root.dataset.rules : "") + location.hash);
    } catch (e) { /* some browsers keep the address of a page from disk as it is */ }
  }

  /* Unfold or show the target of a link. */
  function reveal() {
    var target = g.target();
    if (!target || !target.closest("main")) return;
    var folded = target.closest("details"), example = target.closest(".example");
    if (example && root.dataset.examples) root.dataset.examples = "";
    else if (!folded || folded.open) return;
    for (; folded; folded = folded.parentElement.closest("details")) folded.open = true;
    tell();
    target.scrollIntoView();
  }
  /* Show the position of an example as text, and the command that replays it, from a plain script beside the page. */
  g.all(".position").forEach(function (link) {
    var folder = link.getAttribute("href").replace(/[^/]*$/, ""), id = link.href.replace(/.*\/|\.yaml$/g, "");
    link.setAttribute("role", "button");
    link.setAttribute("aria-expanded", "false");
    link.addEventListener("click", function (event) {
      event.preventDefault();
      var box = link.parentElement.nextElementSibling;
      if (box && box.className === "as-text") { box.hidden = !box.hidden; expanded(box); }
      else if (window.grimalkinPositions) lay();
      else g.load(folder + location.pathname.replace(/.*\/|\.html$/g, "") + ".js", lay);
      function lay() {
        box = document.createElement("div");
        box.className = "as-text";
        window.grimalkinPositions.texts[id].forEach(function (text) { if (text) box.append(copied(text)); });
        link.parentElement.after(box);
        expanded(box);
      }
      function expanded(box) { link.setAttribute("aria-expanded", String(!box.hidden)); }
    });
    link.addEventListener("keydown", function (event) { if (event.key === " ") { event.preventDefault(); link.click(); } });
  });

  function copied(text) {
    var box = document.createElement("div"), pre = document.createElement("pre"), button = document.createElement("button");
    var said = window.grimalkinPositions.said;
    pre.textContent = text;
    pre.tabIndex = 0;
    button.type = "button";
    button.textContent = said[0];
    button.addEventListener("click", function () {
      var range = document.createRange();
      range.selectNodeContents(pre);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      if (document.execCommand("copy")) button.textContent = said[1];
    });
    box.append(pre, button);
    return box;
  }

  addEventListener("hashchange", reveal);
  tell();
  address();
  reveal();
})();
