/* The component that shows a flow on the plane. */

import { component } from "../shared/component.js";
import { FlowView } from "./flow_view.js";

export default component(".flow-view", "choice", (root) => new FlowView(root));
