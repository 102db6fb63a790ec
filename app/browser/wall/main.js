/* What Streamlit calls: once when the wall is mounted, and again for new data or another theme. */

import { Wall } from "./wall.js";

export default function ({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".wall");
  root.wall ??= new Wall(root);
  root.wall.load(data, (report) => setStateValue("report", report));
  // Streamlit ends a call that a newer one overtook; only the newest may close the wall.
  const call = (root.calls = (root.calls ?? 0) + 1);
  return () => root.calls === call && root.wall.close();
}
