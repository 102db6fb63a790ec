/* The picture of a flow on the plane: { choice }, which a file's address holds behind a #. */

import { hosted } from "../shared/hosts.js";
import { FlowView } from "./flow_view.js";

export default hosted({
  name: "flow-view",
  show: (root) => new FlowView(root),
  state: "choice",
  file: {
    data: () => ({ choice: decodeURIComponent(location.hash.slice(1)) || null }),
    told: (choice) => location.replace(`#${choice}`),
  },
  cell: {
    trait: "choice",
    data: (value) => ({ choice: /** @type {string | null} */ (value) }),
    traits: (choice) => ({ choice }),
  },
});
