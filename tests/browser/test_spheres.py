"""The spheres of Start in a real browser: a pair is marked on all of them."""

from bertflow_app import services
from lab_pages import inside, picture, wait_for

from bertflow_core.datasets import load_pairs


def test_the_pair_that_is_pointed_at_is_marked_on_every_sphere(visit):
    page = visit("/")
    view = page.locator(".cone[data-pair]")
    view.wait_for()
    cone = services.shipped("cone")
    low, high = load_pairs("captions").scale
    assert low == 0
    shown = [cone.row(layers="layer:4", calibrator=each) for each in ("identity", "flow")]
    shown.append(cone.row(layers="last", calibrator="identity"))

    def says(pair):
        first, second, grade = cone.facts["pairs"][pair]
        sentences = f"“{first}” and “{second}”: people's grade {grade:g} of {high:g}"
        angles = [f"{each['pair_angles'][pair]:.0f}°" for each in shown]
        spoken = view.locator("p.spoken").text_content()
        captions = view.locator("figcaption").all_inner_texts()
        return (
            view.locator("p.pair").inner_text() == sentences
            and [caption.splitlines()[1].split()[0] for caption in captions] == angles
            and (pair == least_alike or all(angle in spoken for angle in (sentences, *angles)))
        )

    grades = [grade for *_, grade in cone.facts["pairs"]]
    least_alike = grades.index(min(grades))
    wait_for(lambda: says(least_alike))
    view.locator(".spheres").press("ArrowRight")
    wait_for(lambda: says((least_alike + 1) % len(grades)))
    view.locator(".spheres").press("ArrowLeft")
    wait_for(lambda: says(least_alike))

    spheres = view.locator("canvas").all()
    before = [picture(sphere) for sphere in spheres]
    page.mouse.move(*inside(spheres[2], 0.5, 0.6), steps=3)
    wait_for(lambda: view.get_attribute("data-pair") != str(least_alike))
    pair = int(view.get_attribute("data-pair"))
    wait_for(lambda: says(pair))
    assert all(picture(sphere) != was for sphere, was in zip(spheres, before, strict=True))
