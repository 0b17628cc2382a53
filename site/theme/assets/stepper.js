/* The stepper of a playthrough: one picture of the table, or one map, that follows the chosen step. */
(function () {
  "use strict";
  var g = window.grimalkin, one = g.one, all = g.all;
  var stepper = one(".stepper"), tables, asked;
  var picture = one("img", stepper), pan = one(".pan", stepper), spoken = one(".said", stepper);
  var words = one(".in-words", stepper), tally = one(".so-far", stepper), larger = one(".enlarge", stepper), copy = one(".copy", stepper);
  var steps = all(".play li[id^=step-]"), chosen = -1;
  var still = matchMedia("(prefers-reduced-motion: reduce)"), narrow = matchMedia("(max-width: 76.99rem)");
  /* Links to other seats lead to the chosen step. */
  var eyes = all(".eyes a");
  eyes.forEach(function (link, n) {
    link.addEventListener("click", function (event) {
      var stays = event.ctrlKey || event.metaKey || event.shiftKey || link.hasAttribute("aria-current");
      if (!stays) try { sessionStorage.setItem("grimalkin-eyes", n + link.pathname); } catch (e) { /* kept nowhere */ }
    });
  });
  function told(step) {
    /* Describe who did what, and what happened, without reasons and links to rules, which are on the page. */
    var copy = step.cloneNode(true);
    all("a, .why", copy).forEach(function (part) { part.remove(); });
    var happened = all("ul li", copy).map(function (item) { return item.textContent.trim(); });
    return one("strong", copy).textContent + ", " + one("code", copy).textContent.replace(/:$/, "") + ": " + happened.join(" ");
  }
  function room() {
    /* On a phone the picture covers the text, so steps scroll into the space below it. */
    var under = parseFloat(getComputedStyle(stepper).top) + stepper.offsetHeight + 4;
    document.documentElement.style.scrollPaddingTop = narrow.matches ? under + "px" : "";
  }
  function onMap() {
    /* Show the plan of the chosen step. A step without a plan changed nothing on the map. */
    var at = chosen, plan, map = one(".plan:not(.side)", pan), group = one("g", map);
    while (at >= 0 && !(plan = document.getElementById("on-" + steps[at].id))) at--;
    plan = one("svg", plan || document.getElementById("on-start") || document.createElement("p"));
    group.innerHTML = plan ? one("g", plan).innerHTML : "";
    map.setAttribute("aria-label", (plan || pan).getAttribute("aria-label"));
    if (at < chosen) all(".moved, .halo", group).forEach(function (line) { line.remove(); });
    else if (plan) {
      /* Centre the figure that has moved, allowing for the row numbers. */
      var middle = plan.dataset.at.split(" "), view = map.viewBox.baseVal;
      look(middle[0], middle[1] - view.y, map.getBoundingClientRect().width / view.width, view.y);
    }
  }
  function look(across, down, unit, beside) {
    pan.scrollTo({
      left: across * unit - (pan.clientWidth + (beside || 0) * unit) / 2,
      top: down * unit - pan.clientHeight / 2,
      behavior: still.matches ? "auto" : "smooth"
    });
  }
  function onTable(table, ahead) {
    /* Ring what is new, and mark with a dashed ring a place that something has left. */
    var svg = one(".marks", pan), unit = picture.getBoundingClientRect().width / svg.viewBox.baseVal.width;
    picture.src = table[0];
    picture.alt = table[1];
    svg.innerHTML = table[4].map(function (mark) {
      var size = ["x", "y", "width", "height"].map(function (name, n) { return name + '="' + Number(mark[n]) + '"'; }).join(" ");
      var kind = mark[4] ? "gone" : "new";
      return '<rect class="under" rx="2" ' + size + '/><rect class="' + kind + '" rx="2" ' + size + "/>";
    }).join("");
    /* Centre all marks, or the largest one if they do not all fit. */
    var box = table[4].reduce(function (a, b) {
      var left = Math.min(a[0], b[0]), top = Math.min(a[1], b[1]);
      return [left, top, Math.max(a[0] + a[2], b[0] + b[2]) - left, Math.max(a[1] + a[3], b[1] + b[3]) - top];
    }, table[4][0] || [0, 0, 0, 0]);
    if (box[2] * unit > pan.clientWidth || box[3] * unit > pan.clientHeight) {
      box = table[4].reduce(function (a, b) { return !b[4] && (a[4] || b[2] * b[3] > a[2] * a[3]) ? b : a; });
    }
    if (table[4].length) look(box[0] + box[2] / 2, box[1] + box[3] / 2, unit);
    else if (chosen < 0) look(0, 0, unit);
    if (ahead && ahead[0]) new Image().src = ahead[0];
  }
  function tell() {
    /* Show the data of the chosen step: picture, position in words, score. */
    if (!tables) return;
    var table = tables.steps[chosen < 0 ? "" : steps[chosen].id], ahead = steps[chosen + 1];
    if (!table) return;
    if (picture && table[0]) onTable(table, ahead && tables.steps[ahead.id]);
    one("p", words).textContent = table[2].map(function (n) { return tables.told[n]; }).join(" ");
    if (tally) tally.textContent = table[3];
  }
  function ask() {
    /* Load the tables with the first step, or on demand. */
    if (!asked) g.load(stepper.dataset.tables, function () { tables = window.grimalkinTables; tell(); });
    asked = true;
  }
  var show = function (next, quiet) {
    ask();
    next = Math.max(-1, Math.min(steps.length - 1, next));
    if (steps[chosen]) steps[chosen].classList.remove("now");
    chosen = next;
    var step = steps[chosen];
    if (pan && !picture) onMap();
    tell();
    spoken.textContent = step ? chosen + 1 + ". " + told(step) : "";
    eyes.forEach(function (link) { link.hash = step ? step.id : ""; });
    try { history.replaceState(null, "", location.href.split("#")[0] + (step ? "#" + step.id : "")); } catch (e) { /* the browser may limit how often */ }
    if (!step) return;
    step.classList.add("now");
    if (!quiet && !larger_is_on()) {
      room();
      step.scrollIntoView({ block: narrow.matches ? "start" : "center", behavior: still.matches ? "auto" : "smooth" });
    }
  };
  document.body.classList.add("stepping");
  all("[data-go]", stepper).forEach(function (button) {
    button.addEventListener("click", function () { show(chosen + Number(button.dataset.go)); });
  });
  steps.forEach(function (step, n) {
    step.addEventListener("click", function (event) { if (!event.target.closest("a")) show(n, true); });
  });
  words.addEventListener("toggle", function () { ask(); room(); });
  copy.addEventListener("click", function () {
    var named = copy.textContent;
    navigator.clipboard.writeText(location.href).then(function () {
      copy.textContent = copy.dataset.said;
      setTimeout(function () { copy.textContent = named; }, 2000);
    }, function () { /* the address bar has it, too */ });
  });
  if (!navigator.clipboard) copy.hidden = true;
  /* Enlarged: the picture fills the window, with the buttons below; the rest of the page is inert. */
  function larger_is_on() { return stepper.classList.contains("whole-window"); }
  function enlarge(on) {
    stepper.classList.toggle("whole-window", on);
    larger.setAttribute("aria-pressed", on);
    all("body > :not(.frame), .frame > :not(main), main > :not(.stepper)").forEach(function (part) { part.inert = on; });
    if (on) pan.scrollTo(0, 0);
    else show(chosen);
  }
  if (larger) larger.addEventListener("click", function () { enlarge(!larger_is_on()); });
  document.addEventListener("keydown", function (event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName)) return;
    if (event.key === "Escape" && larger && larger_is_on()) enlarge(false);
    /* In a picture larger than its frame, the keys scroll the picture. */
    if (document.activeElement === pan && pan.scrollWidth > pan.clientWidth + 1) return;
    var go = { ArrowRight: 1, ArrowLeft: -1, Home: -9999, End: 9999 }[event.key];
    if (go) { event.preventDefault(); show(chosen + go); }
  });
  function follow() {
    /* Show the step named in the address, at most the last; without an anchor the start. Other anchors lead elsewhere. */
    var named = /^#step-(\d+)$/.exec(location.hash);
    if (named || !location.hash) show(named ? Number(named[1]) - 1 : -1);
  }
  addEventListener("hashchange", follow);
  narrow.addEventListener("change", function () { room(); tell(); });
  room();
  var there = document.getElementById(location.hash.slice(1));
  if (there) there.scrollIntoView();
  if (location.hash || (pan && !picture)) follow();
  /* Keep the focus on the row of seats after switching, to switch again. */
  try {
    var from = sessionStorage.getItem("grimalkin-eyes");
    sessionStorage.removeItem("grimalkin-eyes");
    eyes.forEach(function (link, n) {
      var same = from === n + location.pathname && document.activeElement === document.body;
      if (same) link.focus({ preventScroll: true });
    });
  } catch (e) { /* kept nowhere */ }
})();
