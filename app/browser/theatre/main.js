/* What Streamlit calls: once when the picture is mounted, and again for new states or a theme. */

import { Theatre } from "./theatre.js";

export default function ({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".theatre");
  root.theatre ??= new Theatre(root);
  root.theatre.load(data, (report) => setStateValue("report", report));
  // Streamlit ends a call that a newer one overtook; only the newest may close the picture.
  const call = (root.calls = (root.calls ?? 0) + 1);
  return () => root.calls === call && root.theatre.close();
}
