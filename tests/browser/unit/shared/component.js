import { component, ending } from "../../../../app/browser/shared/component.js";
import { equal, test } from "../harness.js";

/** Count what a component does with its calls. */
function counted() {
  /** @type {unknown[]} */
  const events = [];
  const call = component(".root", "value", (root) => {
    events.push(`made in ${root.id}`);
    return {
      load(data, send) {
        events.push(data);
        send(`sent of ${data}`);
      },
      close: () => events.push("closed"),
    };
  });
  const parent = document.createElement("div");
  parent.innerHTML = '<div class="root" id="here"></div>';
  const setStateValue = (/** @type {string} */ name, /** @type {unknown} */ value) =>
    events.push([name, value]);
  return {
    events,
    load: (/** @type {unknown} */ data) => call({ data, parentElement: parent, setStateValue }),
  };
}

test("a component is made once and loads every payload", () => {
  const { events, load } = counted();
  load("a");
  load("b");
  equal(events, ["made in here", "a", ["value", "sent of a"], "b", ["value", "sent of b"]]);
});

test("only the newest call closes", () => {
  const { events, load } = counted();
  const first = load("a");
  const second = load("b");
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
