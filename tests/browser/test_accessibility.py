"""The whole way by keyboard alone; axe's rules are applied along the main flow."""

from lab_pages import sees, settle

FOCUSED = """() => {
    const on = document.activeElement;
    return on.getAttribute("aria-label") || on.labels?.[0]?.innerText || on.innerText || "";
}"""


def test_the_keyboard_reaches_everything_in_reading_order_and_starts_the_work(visit):
    page = visit("/calibrate?calibrators=standardize&seed=77")
    sees(page, "Press Calibrate to embed")
    settle(page)
    reached = []
    while not (
        any(name.endswith("Calibrators") for name in reached) and reached[-1] == "Calibrate"
    ):
        assert len(reached) < 60, reached
        page.keyboard.press("Tab")
        reached.append(page.evaluate(FOCUSED).strip())
    rest = iter(reached)  # each is sought after the one before it
    for wanted in (
        "Start",
        "Should I calibrate?",
        "Model",
        "Layers",
        "Token pooling",
        "Data",
        "Calibrators",
    ):
        assert any(name.endswith(wanted) for name in rest), (wanted, reached)
    page.get_by_role("button", name="Calibrate", exact=True).focus()
    page.keyboard.press("Enter")
    live = page.get_by_role("button", name="Stop")
    live.or_(page.get_by_role("heading", name="What changed, pair by pair")).first.wait_for()
