/* The stepper of a playthrough: one picture of the table, or one map, that follows the step chosen. */
(function () {
  "use strict";
  var g = window.grimalkin, one = g.one, all = g.all;
  var stepper = one(".stepper"), tables;
  var picture = one("img", stepper), pan = one(".pan", stepper), spoken = one(".said", stepper);
  var steps = all(".play li[id^=step-]");
  var start = picture && [picture.getAttribute("src"), picture.alt], chosen = -1;
  var still = matchMedia("(prefers-reduced-motion: reduce)"), narrow = matchMedia(pan ? "(max-width: 76.99rem)" : "(max-width: 47.99rem)");
  /* Whose eyes: the row of links stands beside the picture too, and every link leads to the step chosen. */
  var eyes = one("nav.eyes");
  if (eyes) {
    var row = document.createElement("p");
    row.className = "eyes";
    row.innerHTML = eyes.innerHTML;
    stepper.append(row);
    eyes = all(".eyes a");
    eyes.forEach(function (link, n) {
      link.addEventListener("click", function (event) {
        var stays = event.ctrlKey || event.metaKey || event.shiftKey || link.hasAttribute("aria-current");
        if (!stays) try { sessionStorage.setItem("grimalkin-eyes", n + link.pathname); } catch (e) { /* kept nowhere */ }
      });
    });
  }
  function told(step) {
    /* Who did what, and what happened; reasons and the links to rules are left to the page. */
    var copy = step.cloneNode(true);
    all("a, .why", copy).forEach(function (part) { part.remove(); });
    var happened = all("ul li", copy).map(function (item) { return item.textContent.trim(); });
    return one("strong", copy).textContent + ", " + one("code", copy).textContent.replace(/:$/, "") + ": " + happened.join(" ");
  }
  function room() {
    /* On a phone the picture lies over the text, and what is scrolled to comes into what is left below it. */
    var under = parseFloat(getComputedStyle(stepper).top) + stepper.offsetHeight + 4;
    document.documentElement.style.scrollPaddingTop = narrow.matches ? under + "px" : "";
  }
  function onMap() {
    /* Each plan of the text has on it what lies on the map. A step without one left all as it was. */
    var at = chosen, plan, map = one(".plan:not(.side)", pan), group = one("g", map);
    while (at >= 0 && !(plan = document.getElementById("on-" + steps[at].id))) at--;
    plan = one("svg", plan || document.getElementById("on-start") || document.createElement("p"));
    group.innerHTML = plan ? one("g", plan).innerHTML : "";
    map.setAttribute("aria-label", (plan || pan).getAttribute("aria-label"));
    if (at < chosen) all(".moved, .halo", group).forEach(function (line) { line.remove(); });
    else if (plan) {
      /* In the middle of what is seen beside the numbers of rows: what has moved. */
      var middle = plan.dataset.at.split(" "), view = map.viewBox.baseVal;
      var unit = map.getBoundingClientRect().width / view.width;
      pan.scrollTo({
        left: middle[0] * unit - (pan.clientWidth + view.y * unit) / 2,
        top: (middle[1] - view.y) * unit - pan.clientHeight / 2,
        behavior: still.matches ? "auto" : "smooth"
      });
    }
  }
  function onTable(step) {
    var table = (step && tables[step.id]) || start, ahead = steps[chosen + 1];
    picture.src = picture.parentElement.href = table[0];
    picture.alt = table[1];
    if (step && ahead && tables[ahead.id]) new Image().src = tables[ahead.id][0];
  }
  var show = function (next, quiet) {
    if (!tables && picture) {
      /* Every table with its words comes with the first step. */
      tables = {};
      g.load(stepper.dataset.tables, function () { tables = window.grimalkinTables; show(chosen, true); });
    }
    next = Math.max(-1, Math.min(steps.length - 1, next));
    if (steps[chosen]) steps[chosen].classList.remove("now");
    chosen = next;
    var step = steps[chosen];
    if (pan) onMap();
    else onTable(step);
    spoken.textContent = step ? chosen + 1 + ". " + told(step) : "";
    (eyes || []).forEach(function (link) { link.hash = step ? step.id : ""; });
    try { history.replaceState(null, "", location.href.split("#")[0] + (step ? "#" + step.id : "")); } catch (e) { /* a browser may find it too often */ }
    if (!step) return;
    step.classList.add("now");
    if (!quiet) {
      room();
      step.scrollIntoView({ block: narrow.matches ? "start" : "center", behavior: still.matches ? "auto" : "smooth" });
    }
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
  function follow() {
    /* The step that the address names, beyond the end the last one; without an anchor the start. Other anchors lead elsewhere. */
    var named = /^#step-(\d+)$/.exec(location.hash);
    if (named || !location.hash) show(named ? Number(named[1]) - 1 : -1);
  }
  addEventListener("hashchange", follow);
  narrow.addEventListener("change", room);
  room();
  var there = document.getElementById(location.hash.slice(1));
  if (there) there.scrollIntoView();
  if (location.hash || pan) follow();
  /* Who comes through the row stays in it, to switch again. */
  try {
    var from = sessionStorage.getItem("grimalkin-eyes");
    sessionStorage.removeItem("grimalkin-eyes");
    (eyes || []).forEach(function (link, n) {
      var same = from === n + location.pathname && document.activeElement === document.body;
      if (same) link.focus({ preventScroll: true });
    });
  } catch (e) { /* kept nowhere */ }
})();
