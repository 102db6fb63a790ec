/* The flow on the plane as a page of its own: the address holds the choice, behind a #. */

import { FlowView } from "../theatre/flow_view.js";
import { mounted } from "./mount.js";

mounted(".flow-view", (root) => {
  const view = new FlowView(root);
  return () => {
    const choice = decodeURIComponent(location.hash.slice(1)) || null;
    view.load({ choice }, (chosen) => location.replace(`#${chosen}`));
  };
});
