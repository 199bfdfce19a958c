//! Places in the inbox: how many requests may wait for a person, and whose come first.

use std::{cmp::Ordering, str::FromStr};

use uuid::Uuid;

use crate::limits::places::{CALM, FEW, RESERVE};

/// How many requests may wait.
#[derive(Debug, Clone, Copy)]
pub struct Caps {
    pub session: u32,
    /// Of all sessions that a person opened, or of all runs of an automation.
    pub opener: u32,
    pub org: u32,
}

/// How many requests wait.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Waiting {
    pub session: i64,
    pub opener: i64,
    pub org: i64,
}

/// Whose requests are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Full {
    Session(u32),
    Opener(u32),
    Org(u32),
}

impl std::fmt::Display for Full {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Session(most) => write!(to, "{most} requests of this session already wait for a person"),
            Self::Opener(most) => {
                write!(to, "{most} requests by the same person or automation already wait for a person")
            }
            Self::Org(most) => write!(to, "{most} requests of this organization already wait for a person"),
        }
    }
}

/// The place of a request that waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The automation of a run, otherwise the person who opened the session.
    pub opener: Uuid,
    /// The inbox lists turn 0 of every opener first, then turn 1, and so on. While few requests wait, all have turn 0.
    pub turn: i16,
}

/// Where an item stands in the inbox: by turn, then the newest first. As a text, the cursor of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    pub turn: i16,
    pub id: Uuid,
}

impl Ord for Position {
    fn cmp(&self, other: &Self) -> Ordering {
        self.turn.cmp(&other.turn).then(other.id.cmp(&self.id))
    }
}

impl PartialOrd for Position {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl std::fmt::Display for Position {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "{}-{}", self.turn, self.id.simple())
    }
}

impl FromStr for Position {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (turn, id) = text.split_once('-').ok_or(())?;
        let turn = turn.parse().ok().filter(|turn| *turn >= 0).ok_or(())?;
        let id = (id.len() == 32).then(|| Uuid::try_parse(id).ok()).flatten().ok_or(())?;
        Ok(Self { turn, id })
    }
}

impl Waiting {
    /// Together with these.
    pub const fn and(self, other: Self) -> Self {
        Self {
            session: self.session + other.session,
            opener: self.opener + other.opener,
            org: self.org + other.org,
        }
    }

    /// The place of one more request. The last fifth of the org's places is for openers with few requests that wait, so
    /// that one that floods the inbox does not shut out the others. Once more than a few wait in all, the turn of a
    /// request is the number of those of its opener, so that a flood comes after what others ask for.
    pub fn place(self, opener: Uuid, caps: Caps) -> Result<Place, Full> {
        let kept = if self.opener < FEW { 0 } else { caps.org / RESERVE };
        let open = caps.org - kept;
        if self.session >= i64::from(caps.session) {
            return Err(Full::Session(caps.session));
        }
        if self.opener >= i64::from(caps.opener) {
            return Err(Full::Opener(caps.opener));
        }
        if self.org >= i64::from(open) {
            return Err(Full::Org(open));
        }
        let turn = if self.org < CALM { 0 } else { i16::try_from(self.opener).unwrap_or(i16::MAX) };
        Ok(Place { opener, turn })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CAPS: Caps = Caps { session: 10, opener: 50, org: 500 };

    fn turn(session: i64, opener: i64, org: i64) -> Result<i16, Full> {
        Waiting { session, opener, org }.place(Uuid::nil(), CAPS).map(|place| place.turn)
    }

    #[test]
    fn each_cap_is_exact() {
        assert_eq!((turn(9, 9, 9), turn(10, 10, 10)), (Ok(0), Err(Full::Session(10))));
        assert_eq!((turn(0, 49, 49), turn(0, 50, 50)), (Ok(49), Err(Full::Opener(50))));
        assert_eq!((turn(0, 5, 399), turn(0, 5, 400)), (Ok(5), Err(Full::Org(400))));
        assert_eq!((turn(0, 4, 499), turn(0, 4, 500)), (Ok(4), Err(Full::Org(500))));
    }

    #[test]
    fn a_position_is_read_as_it_was_written() {
        let position = |turn, id| Position { turn, id: Uuid::from_u128(id) };
        let mut all = [position(1, 9), position(0, 7), position(0, 8), position(1, 10)];
        all.sort_unstable();
        assert_eq!(all, [position(0, 8), position(0, 7), position(1, 10), position(1, 9)]);
        for one in all {
            assert_eq!(one.to_string().parse(), Ok(one));
        }
        for wrong in
            ["", "1", "-1-00000000000000000000000000000007", "1-7", "x-00000000000000000000000000000007"]
        {
            assert_eq!(wrong.parse::<Position>(), Err(()), "{wrong}");
        }
    }

    #[test]
    fn turns_begin_when_more_than_a_few_wait() {
        assert_eq!(
            (turn(0, 0, 0), turn(9, 19, 19), turn(0, 0, 20), turn(0, 1, 20)),
            (Ok(0), Ok(0), Ok(0), Ok(1))
        );
        assert_eq!(turn(0, 19, 20), Ok(19));
    }
}
