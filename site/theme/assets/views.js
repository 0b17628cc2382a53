/* What a reader may choose about a page: examples or none, rules in short or in full. And a link opens what it leads to. */
(function () {
  "use strict";
  var g = window.grimalkin, root = document.documentElement, buttons = g.all(".views button");

  function tell() {
    buttons.forEach(function (button) {
      button.setAttribute("aria-pressed", String((root.dataset[button.dataset.name] || "") === button.dataset.value));
    });
  }

  /* Chosen once, it holds for every page; an address with ?short tells others what is seen here. */
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

  /* What is folded or hidden shows itself when a link leads there. */
  function reveal() {
    var target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target || !target.closest("main")) return;
    var folded = target.closest("details"), example = target.closest(".example");
    if (example && root.dataset.examples) root.dataset.examples = "";
    else if (!folded || folded.open) return;
    for (; folded; folded = folded.parentElement.closest("details")) folded.open = true;
    tell();
    target.scrollIntoView();
  }
  addEventListener("hashchange", reveal);
  tell();
  address();
  reveal();
})();
