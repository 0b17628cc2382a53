/* The search: adds up the weights calculated when the site was built. Loaded on first use, with the parts of the index that a query needs. */
(function () {
  "use strict";
  var g = window.grimalkin, one = g.one, all = g.all, load = g.load, base = g.base;
  var field = one("#q"), found = one("#found"), status = one("p", found), list = one("ol", found);
  var inside = location.href.slice(new URL(base + "/", location.href).href.length).split(/[?#]/)[0].match(/^([^/]+)\//);
  var WEIGHTS = { r: 1.3, u: 1.05, t: 1.35, c: 1.1, e: 0.72, w: 0.5, p: 0.85 };
  var ORDER = "trucepw", BEST = 6, EACH = 4, MOST = 60, OWN = 2.5, REST = "site", REST_WEIGHT = 0.4, PAUSE = 300, REST_PAUSE = 700, SOON = 150;
  var said, kinds, games, little, same, step, here = "", parts = {}, wish = { game: "", kind: "" }, opened = {}, asking = 0, told = "", isHasty = false;
  var data = (window.grimalkinFound = {}), coming = {}, blank = new Map(), watch = new IntersectionObserver(seen, { root: found });

  function prepare() {
    var sheet = document.createElement("link");
    sheet.rel = "stylesheet";
    sheet.href = base + "/assets/search.css";
    document.head.append(sheet);
    if (inside && !/^(written|home|lost)$/.test(document.documentElement.dataset.kind)) need([inside[1]]);
    begin();
  }
  function begin() {
    load(base + "/assets/search-index.js", function () {
      var head = window.grimalkinSearch;
      said = head.said;
      kinds = head.kinds;
      games = head.games;
      same = head.same;
      step = head.texts;
      little = new Set(head.little.split(" "));
      here = inside && games.some(function (one) { return one[0] === inside[1]; }) ? inside[1] : "";
      if (field.value.trim()) search();
      else need(here ? [here] : names());
    }, function () { field.addEventListener("input", begin, { once: true }); });
  }
  function names() {
    /* The current game answers before the others. */
    var all = games.map(function (one) { return one[0]; }).concat(said.rest ? REST : []);
    return all.sort(function (a, b) { return (b === here) - (a === here); });
  }
  function need(files, then) {
    /* Load files of the index, each once. Then say whether all are there; if not, they may be asked for again. */
    var left = files.length;
    function done() {
      if (!--left && then) then(files.every(function (file) { return file in data; }));
    }
    files.forEach(function (file) {
      if (file in data) { done(); return; }
      if (coming[file]) { coming[file].push(done); return; }
      coming[file] = [done];
      function settle() {
        var all = coming[file];
        delete coming[file];
        all.forEach(function (one) { one(); });
      }
      load(base + "/assets/found/" + file + ".js", settle, settle);
    });
  }
  function fold(text) { return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase(); }
  function words(text) {
    return (fold(text).match(/[\p{L}\p{N}]+(?:['’][\p{L}\p{N}]+)*/gu) || []).map(function (word) { return word.split(/['’]/)[0]; });
  }
  function bare(text) { return fold(text).replace(/[^\p{L}\p{N}]/gu, ""); }

  function part(name) {
    /* The index of a game; its lists are decoded on demand. */
    var head = data[name], anchors = head.anchors.split(" "), n = 0;
    var it = { name: name, rows: [], starts: head.parts, lists: [], lacks: new Set(), same: head.same.concat(same), read: [], titles: [], ids: new Map() };
    it.groups = head.words.split("|").map(function (forms) { return forms.split(" "); });
    it.group = new Map();
    it.groups.forEach(function (forms, n) { forms.forEach(function (form) { it.group.set(form, n); }); });
    it.forms = Array.from(it.group.keys());
    head.pages.forEach(function (page) {
      var first = n;
      for (; n < first + page[1]; n++) {
        var id = anchors[n], kind = head.kinds[n].toLowerCase();
        it.rows.push({
          to: page[0] + (id && "#" + id), id: id, title: head.titles[n], kind: kind, page: id && head.titles[first], names: head.names[n] || [],
          face: kind === head.kinds[n] ? "" : name + "/faces/" + id + "-front.svg"
        });
        if (id && kind !== "p" && kind !== "w") it.ids.set(n, bare(id));
      }
    });
    return it;
  }
  function fileOf(it, kind, n) { return it.name + "/" + kind + "-" + n + "-" + data[it.name].made; }
  function posts(it, n) {
    /* Return the entries that have a word, with its weight in each. If their part has not been loaded, note that it is lacking. */
    if (it.read[n]) return it.read[n];
    var k = it.starts.length, at = -1, made = [], pattern = /([0-9a-z]*)([A-Z])/g, match;
    while (it.starts[--k] > n);
    var file = fileOf(it, "posts", k);
    if (!(file in data)) { it.lacks.add(file); return made; }
    it.lists[k] = it.lists[k] || data[file].split("|");
    while ((match = pattern.exec(it.lists[k][n - it.starts[k]]))) {
      at += match[1] ? parseInt(match[1], 36) : 1;
      made.push([at, match[2].charCodeAt(0) - 64]);
    }
    return (it.read[n] = made);
  }
  function distance(a, b, most) {
    /* Return the number of wrong, missing, extra or swapped letters; stop counting above `most`. */
    if (Math.abs(a.length - b.length) > most) return most + 1;
    var before, row = [], i, j, next, least;
    for (j = 0; j <= b.length; j++) row.push(j);
    for (i = 1; i <= a.length; i++) {
      next = [i];
      least = i;
      for (j = 1; j <= b.length; j++) {
        next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] !== b[j - 1]));
        if (before && i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) next[j] = Math.min(next[j], before[j - 2] + 1);
        least = Math.min(least, next[j]);
      }
      if (least > most) return most + 1;
      before = row;
      row = next;
    }
    return row[b.length];
  }
  function near(it, word) {
    /* Return words that may be meant: one wrong letter in short words, two in long ones. The first letter is usually right. */
    var most = word.length < 4 ? 0 : word.length < 7 ? 1 : 2, best = [];
    if (!most) return best;
    it.forms.forEach(function (form) {
      if (form.length < 3 || Math.abs(form.length - word.length) > most) return;
      var far = distance(word, form, most);
      if (far <= most) best.push({ form: form, far: far + (form[0] === word[0] ? 0 : 0.6) });
    });
    best.sort(function (a, b) { return a.far - b.far || posts(it, it.group.get(b.form)).length - posts(it, it.group.get(a.form)).length; });
    return best.filter(function (one) { return one.far <= best[0].far + 0.1; }).slice(0, 3);
  }
  function meanings(it, word, isLast, isKnown) {
    /* Return the meanings of a word: [group, certainty]. A word with a synonym is not a mistake. */
    var sure = new Map(), meant = "";
    function add(n, weight) { if (n !== undefined && (sure.get(n) || 0) < weight) sure.set(n, weight); }
    add(it.group.get(word), 1);
    var exact = sure.size > 0;
    if (word.length > 2 || (isLast && !exact)) {
      it.forms.forEach(function (form) {
        if (form !== word && form.startsWith(word) && !little.has(form)) add(it.group.get(form), (isLast ? 0.75 : 0.5) * (exact ? 0.35 : 1) * Math.max(0.5, word.length / form.length));
      });
    }
    if (!sure.size) {
      /* Two words written as one, or a word with an unknown ending. */
      for (var cut = 3; cut <= word.length - 3; cut++) {
        var head = it.group.get(word.slice(0, cut)), tail = it.group.get(word.slice(cut));
        if (head !== undefined && tail !== undefined) { add(head, 0.6); add(tail, 0.6); }
      }
    }
    if (!sure.size && !isKnown) {
      near(it, word).forEach(function (one) {
        if (!meant) meant = one.form;
        add(it.group.get(one.form), one.far < 1 ? 0.9 : one.far < 2 ? 0.8 : 0.6);
      });
    }
    return { sure: sure, meant: meant };
  }
  function within(needle, asked) {
    /* Return the position of some words among those of the query, or -1. */
    for (var at = 0; at + needle.length <= asked.length; at++) {
      if (needle.every(function (word, n) { return asked[at + n] === word; })) return at;
    }
    return -1;
  }
  function understood(it, text) {
    /* Parse the query into parts to be found: the groups of words that match each, and its weight. */
    var asked = words(text), telling = asked.filter(function (word) { return !little.has(word) && (word.length > 1 || /\d/.test(word)); });
    var kept = telling.length ? telling : asked, meant = [], count = it.rows.length;
    var alike = [];
    it.same.forEach(function (group) {
      group.forEach(function (form) {
        var needle = form.split(" ");
        if (within(needle, asked) >= 0) alike.push([group, form, needle]);
      });
    });
    var wanted = kept.map(function (word, n) {
      var isKnown = alike.some(function (one) { return one[2].includes(word); });
      var one = meanings(it, word, n === kept.length - 1, isKnown);
      if (one.meant) meant.push([word, one.meant]);
      return { word: word, sure: one.sure };
    });
    alike.forEach(function (found) {
      var touched = wanted.filter(function (one) { return found[2].includes(one.word); });
      found[0].forEach(function (other) {
        if (other === found[1]) return;
        var parts = other.split(" ");
        parts.forEach(function (word) {
          var n = it.group.get(word), weight = 0.6 / Math.sqrt(parts.length);
          if (n === undefined || little.has(word)) return;
          touched.forEach(function (one) { if ((one.sure.get(n) || 0) < weight) one.sure.set(n, weight); });
        });
      });
    });
    wanted.forEach(function (one) {
      var least = count;
      one.sure.forEach(function (_, n) { least = Math.min(least, posts(it, n).length); });
      one.matter = one.sure.size ? Math.log(1 + count / (1 + least)) : Math.log(1 + count) * 0.7;
    });
    return { wanted: wanted, meant: meant, asked: asked, kept: kept };
  }
  function titleOf(it, n) {
    /* Return the title of an entry as words, with and without those that say little. */
    if (it.titles[n]) return it.titles[n];
    var title = words(it.rows[n].title.replace(/^[\w.]*\d\s+/, ""));
    return (it.titles[n] = [title.join(" "), title.filter(function (word) { return !little.has(word); }).join(" ")]);
  }
  function rank(name, text) {
    /* Return the results of a game, or the files that are lacking. */
    if (!(name in data)) return { lacks: [name] };
    var it = (parts[name] = parts[name] || part(name));
    it.lacks.clear();
    var q = understood(it, text), scores = new Map(), reached = new Map(), whole = 0, id = bare(text);
    if (it.lacks.size) return { lacks: Array.from(it.lacks), isVague: q.kept.some(function (word) { return little.has(word); }) };
    q.wanted.forEach(function (one) {
      var best = new Map();
      one.sure.forEach(function (weight, n) {
        posts(it, n).forEach(function (post) {
          var value = post[1] * weight;
          if ((best.get(post[0]) || 0) < value) best.set(post[0], value);
        });
      });
      whole += one.matter;
      best.forEach(function (value, n) {
        scores.set(n, (scores.get(n) || 0) + value);
        reached.set(n, (reached.get(n) || 0) + one.matter);
      });
    });
    var flat = q.kept.join(" "), entire = q.asked.join(" ");
    scores.forEach(function (score, n) {
      var row = it.rows[n], share = reached.get(n) / whole, called = titleOf(it, n), name = called[0], plain = called[1];
      score *= (0.15 + 0.85 * share * share) * (WEIGHTS[row.kind] || 1);
      if (name === entire || plain === flat || row.names.includes(entire)) score = score * 1.6 + 30;
      else if (plain && (" " + flat + " ").includes(" " + plain + " ") && (row.kind === "t" || row.kind === "c")) score *= 1.25;
      scores.set(n, score);
    });
    if (id.length > 1 && /\d/.test(id)) {
      it.ids.forEach(function (own, n) {
        if (own === id) scores.set(n, 2000);
        else if (own.endsWith(id) && own.length - id.length <= 3) scores.set(n, Math.max(scores.get(n) || 0, 1000 - own.length));
        else if (own.startsWith(id) && id.length > 4) scores.set(n, Math.max(scores.get(n) || 0, 300 - own.length));
      });
      var number = text.trim().toLowerCase().replace(/^(rule|ruling)\s+/, "");
      it.rows.forEach(function (row, n) {
        var first = row.title.split(" ")[0].toLowerCase();
        if (first === number && /\d/.test(first)) scores.set(n, 1500);
      });
    }
    var factor = it.name === REST ? REST_WEIGHT : !here || it.name === here ? (here ? OWN : 1) : 1;
    var made = [];
    scores.forEach(function (score, n) { made.push({ row: it.rows[n], n: n, score: score * factor, game: it.name }); });
    return { hits: made, q: q };
  }
  function answers(made) {
    /* Merge the results of all games so far, best first. */
    var hits = [], meant = new Map(), kept = [], names = Object.keys(made);
    names.forEach(function (name) {
      hits = hits.concat(made[name].hits);
      kept = kept.length ? kept : made[name].q.asked;
      if (name !== REST) made[name].q.meant.forEach(function (pair) { if (!meant.has(pair[0]) || name === here) meant.set(pair[0], pair[1]); });
    });
    /* A word that any searched game knows is not a mistake. */
    meant.forEach(function (_, word) {
      if (names.some(function (name) { return (!here || name === here) && parts[name].group.has(word); })) meant.delete(word);
    });
    hits.sort(function (a, b) { return b.score - a.score || (a.game < b.game ? -1 : a.game > b.game ? 1 : a.n - b.n); });
    var top = hits.length ? hits[0].score : 0;
    return { hits: hits.filter(function (one) { return one.score > top * 0.12; }), meant: meant, asked: kept };
  }
  function ask(text) {
    /* Search the current game first. Files that the others lack, and those for words that say little, are loaded once typing rests. */
    /* Each game is searched in a separate task, so that typing never lags. */
    var turn = ++asking, made = {}, isLost = false, soon = 0;
    var left = names().filter(function (name) { return !wish.game || wish.game === name; }), first = left[0] === here ? here : "";
    var count = left.length;
    function later(name) { setTimeout(go, 0, name); }
    function answered() { return first && made[first] && made[first].hits.length > 0; }
    function show() {
      var all = answers(made);
      soon = 0;
      if (turn === asking && (all.hits.length || !count)) tell(text, all, isLost);
      else if (turn === asking) status.textContent = "…";
    }
    function done(name) {
      count--;
      if (name === first || !count) { clearTimeout(soon); show(); }
      else if (!answered()) soon = soon || setTimeout(show, SOON);
      if (name === first) left.slice(1).forEach(later);
    }
    function go(name) {
      if (turn !== asking) return;
      var one = rank(name, text);
      if (!one.lacks) { made[name] = one; done(name); return; }
      var isFirst = name === first || !first;
      setTimeout(function () {
        if (turn === asking) need(one.lacks, function (isThere) {
          if (turn !== asking) return;
          if (isThere) { go(name); return; }
          isLost = true;
          done(name);
        });
      }, answered() ? REST_PAUSE : one.isVague || !isFirst ? PAUSE : 0);
    }
    if (first) go(first);
    else left.forEach(later);
  }
  function marked(text, asked, parent) {
    /* Add text with the words of the query marked, as text nodes, so that nothing in it can become markup. */
    var telling = asked.filter(function (word) { return !little.has(word) && word.length > 1; });
    var pattern = telling.map(function (word) { return word.replace(/[^\p{L}\p{N}]/gu, ""); }).filter(Boolean).join("|");
    var pieces = pattern ? text.split(new RegExp("(?<![\\p{L}\\p{N}])(" + pattern + ")", "iu")) : [text];
    pieces.forEach(function (piece, n) {
      if (n % 2) { var m = document.createElement("mark"); m.textContent = piece; parent.append(m); } else parent.append(piece);
    });
  }
  function make(tag, name, text) {
    var made = document.createElement(tag);
    if (name) made.className = name;
    if (text) made.textContent = text;
    return made;
  }
  function press(name, text, then) {
    var made = make("button", name, text);
    made.type = "button";
    made.addEventListener("click", function (event) {
      event.stopPropagation();
      then();
    });
    return made;
  }
  function gameOf(name) {
    var known = games.find(function (one) { return one[0] === name; });
    return known ? known[1] : "";
  }
  function result(hit, asked) {
    var item = make("li"), link = make("a"), title = make("b"), line = make("span", "line"), row = hit.row;
    link.href = base + "/" + row.to;
    if (row.face) {
      var picture = make("img", "face");
      picture.src = base + "/" + row.face;
      picture.alt = "";
      picture.width = 40;
      picture.height = 56;
      picture.loading = "lazy";
      link.append(picture);
    }
    marked(row.title, asked, title);
    var about = [kinds[row.kind], /^[A-Z]+-/.test(row.id) ? row.id : "", hit.game === here && here ? "" : gameOf(hit.game), row.page];
    link.append(title, make("span", "where", about.filter(Boolean).join(" · ")), line);
    blank.set(line, { file: fileOf(parts[hit.game], "texts", Math.floor(hit.n / step)), n: hit.n % step, asked: asked });
    fill(line);
    item.append(link);
    return item;
  }
  function fill(line) {
    /* Add the text of a result as soon as its part has been loaded. */
    var one = blank.get(line);
    if (!(one.file in data)) return;
    blank.delete(line);
    if (data[one.file][one.n]) marked(data[one.file][one.n], one.asked, line); else line.remove();
  }
  function seen(lines) {
    /* Load texts only for results that can be seen. */
    lines.forEach(function (one) {
      if (!one.isIntersecting || !blank.has(one.target)) return;
      watch.unobserve(one.target);
      need([blank.get(one.target).file], function (isThere) {
        if (isThere) Array.from(blank.keys()).forEach(fill); else lost();
      });
    });
  }
  function lost() {
    if (!one(".again", status)) status.append(" " + said.lost + " ", press("again", said.again, function () { search(); field.focus(); }));
  }
  function heading(text) {
    var item = make("li", "head", text);
    list.append(item);
  }
  function show(hits, asked) {
    /* Show the best results first, regardless of kind; then the others by kind. */
    hits.slice(0, BEST).forEach(function (hit) { list.append(result(hit, asked)); });
    var rest = hits.slice(BEST, MOST);
    ORDER.split("").forEach(function (kind) {
      var some = rest.filter(function (hit) { return hit.row.kind === kind; });
      if (!some.length) return;
      heading(said["many-" + kind] || kinds[kind]);
      some.slice(0, opened[kind] ? MOST : EACH).forEach(function (hit) { list.append(result(hit, asked)); });
      if (some.length > EACH && !opened[kind]) {
        var item = make("li", "more");
        item.append(press("", said.more.replace("{n}", some.length - EACH), function () {
          opened[kind] = true;
          var at = all("a", list).length;
          search();
          (all("a", list)[at] || field).focus();
        }));
        list.append(item);
      }
    });
  }
  function cards(text) {
    /* Search cards with operators, as in the gallery. */
    if (!g.cards || !here || !window.grimalkinCards || !window.grimalkinCards[here]) return false;
    var answer = g.cards.find(text, g.cards.decks(here));
    if (!answer.asked) return false;
    told = text;
    list.textContent = "";
    status.textContent = answer.problems.length
      ? answer.problems.map(function (one) { return g.cards.told(one, window.grimalkinCards[here].said); }).join(" ")
      : said.cards.replace("{n}", answer.rows.length);
    answer.rows.slice(0, MOST).forEach(function (row) {
      var item = make("li"), link = make("a"), picture = make("img", "face");
      link.href = base + "/" + row.page + "#" + row.id;
      if (row.face) {
        picture.src = base + "/" + row.face;
        picture.alt = "";
        picture.width = 40;
        picture.height = 56;
        picture.loading = "lazy";
        link.append(picture);
      }
      link.append(make("b", "", row.name), make("span", "where", row.deck));
      item.append(link);
      list.append(item);
    });
    return true;
  }
  function sift(hits) {
    /* Filters by game and kind; the choice is kept in the address. */
    var bar = one(".sift", found);
    if (!bar) {
      bar = make("div", "sift");
      bar.append(choice("game", said["in"]), choice("kind", said.kinds));
      bar.firstChild.hidden = names().length < 2;
      status.after(bar);
    }
    var game = one("[name=game]", bar), kind = one("[name=kind]", bar);
    if (!game.options.length) {
      game.append(new Option(said.everywhere, ""));
      games.forEach(function (one) { game.append(new Option(one[0] === here ? said.here + ": " + one[1] : one[1], one[0])); });
      if (said.rest) game.append(new Option(said.rest, REST));
    }
    kind.textContent = "";
    kind.append(new Option(said.anything, ""));
    ORDER.split("").forEach(function (one) {
      var n = hits.filter(function (hit) { return hit.row.kind === one; }).length;
      if (n || wish.kind === one) kind.append(new Option(kinds[one] + " (" + n + ")", one));
    });
    game.value = wish.game;
    kind.value = wish.kind;
  }
  function choice(name, told) {
    var label = make("label"), select = make("select");
    label.append(make("span", "", told), select);
    select.name = name;
    select.addEventListener("change", function () {
      wish[name] = select.value;
      search();
    });
    return label;
  }
  function kept() {
    /* Keep the query in the address, so that links and Back lead to it. */
    var asked = new URLSearchParams(location.search), q = field.value.trim();
    [["q", q], ["in", q && wish.game], ["kind", q && wish.kind]].forEach(function (pair) {
      if (pair[1]) asked.set(pair[0], pair[1]); else asked.delete(pair[0]);
    });
    var search = asked.toString();
    if (search === location.search.slice(1)) return;
    try { history.replaceState(history.state, "", location.pathname + (search ? "?" + search : "") + location.hash); } catch (e) { /* from disk, or too often */ }
  }
  function search() {
    var q = field.value.trim();
    asking++;
    found.hidden = !q;
    kept();
    if (!q) list.textContent = "";
    if (!q) return;
    if (!said) { status.textContent = "…"; return; }
    if (/[:=<>≥≤≠]/.test(q) && here && !g.cards && !search.asked) {
      search.asked = true;
      load(base + "/assets/cards.js", function () { load(base + "/assets/cards/" + here + ".js", search); });
    }
    if (cards(q)) return;
    ask(q);
  }
  function tell(q, answer, isLost) {
    /* If the focus is among the results, keep it there while others arrive: on the same one, or the first. */
    var hits = answer.hits, at = list.contains(document.activeElement) && document.activeElement.href;
    told = q;
    list.textContent = "";
    blank.clear();
    watch.disconnect();
    sift(hits);
    if (wish.kind) hits = hits.filter(function (hit) { return hit.row.kind === wish.kind; });
    var text = hits.length ? hits.length === 1 ? said.one : said.some : said.none;
    status.textContent = isLost && !hits.length ? "" : text.replace("{n}", hits.length).replace("{q}", q);
    if (answer.meant.size) meant(answer.meant, q);
    if (isLost) lost();
    show(hits, answer.asked.concat(Array.from(answer.meant.values())));
    var turn = asking;
    setTimeout(function () { if (turn === asking) blank.forEach(function (_, line) { watch.observe(line); }); }, PAUSE);
    if (at) (all("a", list).find(function (link) { return link.href === at; }) || one("a", list) || field).focus();
    if (isHasty) enter();
  }
  function enter() {
    /* Go to the best result; if its query has not been answered yet, as soon as it has. */
    var best = one("a", list);
    isHasty = told !== field.value.trim();
    if (isHasty) return;
    if (best && !found.hidden) { found.hidden = true; location.href = best.href; } else field.focus();
  }
  function meant(words, q) {
    /* Say what was found instead of a misspelt word, and offer to search for it. */
    var better = q.split(/(\s+)/).map(function (piece) { return words.get(fold(piece).replace(/[^\p{L}\p{N}]/gu, "")) || piece; }).join("");
    var pieces = said.meant.split("{words}"), button = press("meant", better, function () {
      field.value = better;
      search();
      field.focus();
    });
    status.append(" " + pieces[0], button, pieces[1] || "");
  }
  var asked = new URLSearchParams(location.search);
  wish.game = asked.get("in") || "";
  wish.kind = asked.get("kind") || "";
  field.addEventListener("input", function () { opened = {}; isHasty = false; search(); });
  field.form.addEventListener("submit", function (event) {
    event.preventDefault();
    enter();
  });
  field.addEventListener("focus", function () { if (field.value.trim() && found.hidden) search(); });
  one(".seek").addEventListener("keydown", function (event) {
    if (event.target.tagName === "SELECT") return;
    var stops = [field].concat(all("a, .more button", list)), at = stops.indexOf(document.activeElement);
    if (event.key === "Escape") { found.hidden = true; field.focus(); found.hidden = true; return; }
    var step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && !found.hidden && stops[at + step]) { event.preventDefault(); stops[at + step].focus(); }
  });
  document.addEventListener("click", function (event) {
    if (!one(".seek").contains(event.target) || event.target.closest("#found a")) found.hidden = true;
  });
  prepare();
  search();
})();
