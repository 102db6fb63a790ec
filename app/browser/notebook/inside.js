/* The flow on the plane in a notebook; the visitor's choice becomes the widget's value. */

import { FlowView } from "../theatre/flow_view.js";
import { rootIn } from "./cell.js";

/** @import { Cell } from "./types" */

/** @param {Cell} cell */
function render({ model, el }) {
  const view = new FlowView(rootIn({ model, el }, "flow-view"));
  const choice = /** @type {string | null} */ (model.get("choice"));
  view.load({ choice }, (chosen) => {
    model.set("choice", chosen);
    model.save_changes();
  });
  return () => view.close();
}

export default { render };
