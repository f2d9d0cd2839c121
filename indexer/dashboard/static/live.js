// Live pages: what the server says of the graph, and putting what changed into the page without moving the reader.
"use strict";

(() => {
  const bar = document.getElementById("news"), dot = document.getElementById("live"), main = document.getElementById("main");
  if (!bar || !main || !window.fetch) return;
  const words = bar.querySelector("span"), again = bar.querySelector("a");
  again.href = location.href;
  const SILENT = 50000, SLOWEST = 60000;
  let source = null, heard = 0, failures = 0, timer = null, late = null, next = 0, busy = false, away = false, spoke = 0;
  // What the page shows, and what there is.
  let taken = main.dataset.pulse || null, known = taken;

  // ---- telling
  const tell = (text, link) => {
    if (words.textContent !== text) words.textContent = text;
    again.hidden = !link;
    bar.hidden = !text;
  };
  const hear = (news) => {
    heard = Date.now();
    dot.textContent = news.away ? "" : news.watch ? `Live: ${news.watch}` : "Live";
    dot.hidden = !dot.textContent;
    if (news.away) {
      away = true;
      return tell(`The store does not answer (${news.away}). This page shows what it last said.`, false);
    }
    if (away) { away = false; tell("", false); }
    known = news.pulse;
    taken = taken || known;
    if (known !== taken) soon();
  };
  const soon = () => {
    clearTimeout(late);
    late = setTimeout(refresh, Math.max(0, next - Date.now()));
  };

  // ---- taking what is new into the page
  const plain = (node) => {
    // As the server wrote it: without what readers and scripts change.
    const copy = node.cloneNode(true);
    for (const each of [copy, ...copy.querySelectorAll("*")]) {
      if (each.tagName === "DETAILS") each.removeAttribute("open");
      if (each.dataset && each.dataset.copy) each.removeAttribute("hidden");
      if (each.hasAttribute("hx-get")) each.removeAttribute("value");
      for (const name of [...each.classList || []]) if (name.startsWith("htmx-")) each.classList.remove(name);
      if (each.getAttribute("class") === "") each.removeAttribute("class");
    }
    return copy.outerHTML;
  };
  const changed = (field) => {
    if (field.tagName === "SELECT") {
      return field.selectedIndex !== Math.max(0, [...field.options].findIndex((option) => option.defaultSelected));
    }
    if (field.type === "checkbox") return field.checked !== field.defaultChecked;
    // What is typed into a filter is part of the address.
    return field.type !== "hidden" && !field.hasAttribute("hx-get") && field.value !== field.defaultValue;
  };
  const edited = () => [...main.querySelectorAll("input, select, textarea")].some(changed);
  const reading = () => {
    const chosen = getSelection();
    return chosen && !chosen.isCollapsed && main.contains(chosen.anchorNode);
  };
  const key = (node) => node.id ? `#${node.id}` : node.getAttribute("href") || node.getAttribute("aria-label") || (node.tagName === "SUMMARY" ? node.textContent : "");
  const equals = (within, tag, wanted) => wanted ? [...within.querySelectorAll(tag)].filter((node) => key(node) === wanted) : [];
  const anchor = () => {
    // The first thing in view that has a name: it is to stay where it is.
    for (const node of main.querySelectorAll("[id], a[href]")) {
      const box = node.getBoundingClientRect();
      if (box.height && box.top >= 0 && box.top < innerHeight) {
        return { tag: node.tagName, key: key(node), top: box.top, number: equals(main, node.tagName, key(node)).indexOf(node) };
      }
    }
    return null;
  };
  const swap = (old, fresh) => {
    const focus = old.contains(document.activeElement) ? document.activeElement : null;
    const named = focus && { tag: focus.tagName, key: key(focus), number: equals(old, focus.tagName, key(focus)).indexOf(focus) };
    const open = [...old.querySelectorAll("details"), ...(old.tagName === "DETAILS" ? [old] : [])].map((d) => d.open);
    const frames = [...old.querySelectorAll(".scroll, .picture-scroll, .panel, pre")].map((f) => [f.scrollLeft, f.scrollTop]);
    const put = document.importNode(fresh, true);
    old.replaceWith(put);
    [...put.querySelectorAll("details"), ...(put.tagName === "DETAILS" ? [put] : [])].forEach((d, i) => { if (i < open.length) d.open = open[i]; });
    [...put.querySelectorAll(".scroll, .picture-scroll, .panel, pre")].forEach((f, i) => { if (frames[i]) [f.scrollLeft, f.scrollTop] = frames[i]; });
    for (const button of put.querySelectorAll("[data-copy]")) button.hidden = !navigator.clipboard;
    if (window.htmx) htmx.process(put);
    if (named) (equals(put, named.tag, named.key)[named.number] || main).focus({ preventScroll: true });
  };
  const merge = (fresh) => {
    // Parts that stayed are left alone, so that nothing in them moves; returns whether any did not.
    let ours = [...main.children], theirs = [...fresh.children];
    const same = (one, other) => plain(one) === plain(other);
    while (ours.length && theirs.length && same(ours[0], theirs[0])) { ours.shift(); theirs.shift(); }
    let after = null;
    while (ours.length && theirs.length && same(ours.at(-1), theirs.at(-1))) { after = ours.pop(); theirs.pop(); }
    const paired = Math.min(ours.length, theirs.length);
    for (let i = 0; i < paired; i += 1) if (!same(ours[i], theirs[i])) swap(ours[i], theirs[i]);
    for (const gone of ours.slice(paired)) gone.remove();
    for (const come of theirs.slice(paired)) main.insertBefore(document.importNode(come, true), after);
    return ours.length + theirs.length > 0;
  };
  const refresh = async () => {
    if (busy || document.hidden || known === taken) return;
    if (edited() || reading()) {
      return tell("The graph has changed.", true);
    }
    busy = true;
    const address = location.href, wanted = known, began = Date.now();
    try {
      const answer = await fetch(address.split("#")[0]);
      const text = answer.ok ? await answer.text() : null;
      if (text === null || address !== location.href || edited() || reading()) {
        if (!answer.ok) tell("The graph has changed.", true);
      } else {
        const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("main");
        const place = scrollY > 0 ? anchor() : null;
        const news = fresh && merge(fresh);
        const same = place && equals(main, place.tag, place.key)[place.number];
        if (same) scrollBy({ top: same.getBoundingClientRect().top - place.top, behavior: "instant" });
        taken = wanted;
        tell("", false);
        // Said now and then only: while a scan runs, it would be said all the time.
        if (news && Date.now() - spoke > 30000) {
          spoke = Date.now();
          document.getElementById("said").textContent = `Updated at ${new Date().toLocaleTimeString()}`;
        }
      }
    } catch { /* the server was stopped: the page stays as it is */ }
    // A page that takes long is asked for less often.
    next = Date.now() + Math.min(SLOWEST, Math.max(5000, 10 * (Date.now() - began)));
    busy = false;
    if (known !== taken) soon();
  };

  // ---- listening
  const poll = async () => {
    timer = null;
    if (document.hidden) return;
    try {
      const answer = await fetch("/pulse");
      if (answer.ok) hear(await answer.json());
    } catch { dot.hidden = true; }
    timer = setTimeout(poll, 10000);
  };
  const stop = () => { if (source) source.close(); source = null; clearTimeout(timer); timer = null; };
  const listen = () => {
    if (source || timer || document.hidden) return;
    if (!window.EventSource || failures > 2) { poll(); return; }
    heard = Date.now();
    source = new EventSource("/events");
    source.addEventListener("news", (event) => { failures = 0; hear(JSON.parse(event.data)); });
    source.addEventListener("ping", () => { heard = Date.now(); failures = 0; });
    source.onerror = () => {
      dot.hidden = true;
      failures += 1;
      // Closed for good (refused), or failing again and again (a proxy that holds streams back): ask instead.
      if (source && (source.readyState === EventSource.CLOSED || failures > 2)) { stop(); setTimeout(listen, 3000); }
    };
  };
  // One that fell asleep finds its stream silent when it wakes. A page that nobody sees holds no stream: browsers
  // open six to one server.
  setInterval(() => { if (source && Date.now() - heard > SILENT) { stop(); listen(); } }, 5000);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) { stop(); return; }
    failures = 0;
    listen();
    if (known !== taken) soon();
  });
  addEventListener("online", () => { failures = 0; stop(); listen(); });
  addEventListener("pagehide", stop);
  addEventListener("pageshow", (event) => { if (event.persisted) listen(); });
  document.addEventListener("selectionchange", () => { if (!bar.hidden && !again.hidden && !reading() && !edited()) soon(); });
  listen();
})();
