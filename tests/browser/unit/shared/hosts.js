import { ending, hosted } from "../../../../app/browser/shared/hosts.js";
import { equal, test } from "../harness.js";

/** Count what a picture is asked. */
function counted() {
  /** @type {unknown[]} */
  const events = [];
  const host = hosted({
    name: "root",
    state: "value",
    show: (root) => {
      events.push(`made in ${root.className}`);
      return {
        load(data, send) {
          events.push(data);
          send(`sent of ${data}`);
        },
        close: () => events.push("closed"),
      };
    },
    cell: { trait: "seen", data: (value) => value, traits: (sent) => ({ sent }) },
  });
  const parent = document.createElement("div");
  parent.innerHTML = '<div class="root"></div>';
  const setStateValue = (/** @type {string} */ name, /** @type {unknown} */ value) =>
    events.push([name, value]);
  return {
    events,
    host,
    load: (/** @type {unknown} */ data) => host({ data, parentElement: parent, setStateValue }),
  };
}

test("a component is made once and loads every payload", () => {
  const { events, load } = counted();
  load("a");
  load("b");
  equal(events, ["made in root", "a", ["value", "sent of a"], "b", ["value", "sent of b"]]);
});

test("only the newest call closes", () => {
  const { events, load } = counted();
  const first = /** @type {() => void} */ (load("a"));
  const second = /** @type {() => void} */ (load("b"));
  first();
  equal(events.includes("closed"), false);
  second();
  equal(events.at(-1), "closed");
});

test("owners end on their own", () => {
  /** @type {string[]} */
  const closed = [];
  const end = ending({ calls: 0 }, () => closed.push("one"));
  ending({ calls: 0 }, () => closed.push("two"));
  end();
  equal(closed, ["one"]);
});

test("a notebook's cell asks for render, and hears what is sent", () => {
  const { events, host } = counted();
  /** @type {Record<string, unknown>} */
  const values = { sheet: "p {}", seen: "a" };
  /** @type {(() => void)[]} */
  const heard = [];
  const model = {
    get: (/** @type {string} */ name) => values[name],
    set: (/** @type {string} */ name, /** @type {unknown} */ value) => {
      values[name] = value;
    },
    save_changes: () => events.push("saved"),
    on: (/** @type {string} */ event, /** @type {() => void} */ handle) => {
      events.push(event);
      heard.push(handle);
    },
    off: () => events.push("off"),
  };
  const el = document.createElement("div");
  const leave = /** @type {any} */ (host()).render({ model, el });
  equal(
    [values.sent, el.firstElementChild?.shadowRoot?.querySelector("style")?.textContent],
    ["sent of a", "p {}"],
  );
  values.seen = "b";
  heard[0]();
  leave();
  equal(events, ["made in root", "a", "saved", "change:seen", "b", "saved", "off", "closed"]);
});
