"""Who has left: not who reloads, and not whose tab lies in the background."""

import pytest
from bertflow_app.presence import AWAY_SECONDS, Presence


class World:
    """A clock and the connections of browsers, with the presence that looks at them."""

    def __init__(self):
        self.now, self.connected = 0.0, set()
        self.presence = Presence(self.connected.__contains__, lambda: self.now)

    def come(self, *visitors):
        self.connected.update(visitors)
        for visitor in visitors:
            self.presence.note(visitor)

    def pass_time(self, seconds):
        self.now += seconds
        return self.presence.gone()


@pytest.fixture
def world():
    return World()


def test_a_visitor_who_does_nothing_but_stay_connected_is_here(world):
    world.come("idle")
    assert world.pass_time(100 * AWAY_SECONDS) == []


def test_who_is_cut_off_has_left_after_some_seconds_and_once(world):
    world.come("one", "two")
    world.pass_time(500)
    world.connected.remove("one")
    assert world.pass_time(AWAY_SECONDS) == []
    assert world.pass_time(0.1) == ["one"]
    assert world.pass_time(AWAY_SECONDS) == []


def test_who_comes_back_in_time_has_not_left(world):
    world.come("one")
    world.connected.clear()
    assert world.pass_time(AWAY_SECONDS - 1) == []
    world.connected.add("one")
    assert world.pass_time(1) == []
    world.connected.clear()
    assert world.pass_time(AWAY_SECONDS) == []
    assert world.pass_time(1) == ["one"]


def test_nobody_who_never_came_leaves(world):
    world.connected.add("stranger")
    assert world.pass_time(1) == []
    world.connected.clear()
    assert world.pass_time(2 * AWAY_SECONDS) == []
