//! The part of a run that happens inside the namespaces: one program, one release, one policy.

use std::collections::BTreeSet;
use std::process::{Command, ExitCode};

use harness_render::{Evidence, Hardening, Os, Rendering, State, Target, render};
use policy_core::{Harness, Host};

use crate::Result;
use crate::cache::Cache;
use crate::cli::{Job, Place};
use crate::effect;
use crate::layout::WORKSPACE;
use crate::loosening::{self, Loosening};
use crate::pins::{Pin, Pins};
use crate::policies;
use crate::program;
use crate::question::{Action, Question};
use crate::questions::{questions, thinned};
use crate::reads;
use crate::session::{Asked, Program, Session};
use crate::shell;
use crate::verdict::{Answer, Answers, Outcome, Unasked, settle};
use crate::world::World;

/// Questions of a shell that someone else types into.
const SHELL_LIMIT: usize = 10_000;

/// Sets up the world, asks, and judges.
pub(crate) fn run(job: &Job) -> Result<Answers> {
    let ready = Ready::new(&job.place, job.limit)?;
    let world = ready.world()?;
    let session = Session {
        world: &world,
        cache: &Cache::in_world(),
        package: &ready.pin.npm,
        version: &job.place.version,
        rendering: &ready.rendering,
    };
    let asked = (ready.program.ask)(&session, &ready.questions)?;
    let version = job.place.version.to_string();
    let place = (
        ready.program.name,
        version.as_str(),
        job.place.policy.as_str(),
    );
    let mut behind = BTreeSet::new();
    let mut outcomes = Vec::new();
    for Asked { by, question, seen } in asked {
        if let Some(question) = ready.questions.get(question) {
            if seen.answer != Answer::Unread {
                behind.insert((question.channel, question.clause.clone()));
            }
            outcomes.push(Outcome::new(place, by, question, seen));
        }
    }
    settle(&mut outcomes);
    // A part of a harness need not answer for all of it: the harness is asked as well.
    let rows = ready.rendering.ledger().rows().iter();
    let unasked = rows
        .filter(|row| *row.state() == State::Held && ready.pin.rendered_for.is_none())
        .filter(|row| !behind.contains(&(row.channel(), row.clause().clone())))
        .map(|row| Unasked {
            observed: row.evidence() == Evidence::Observed,
            program: ready.program.name.to_owned(),
            channel: row.channel().to_string(),
            field: row.clause().field().to_owned(),
            source: row.source().claim().to_owned(),
            version: version.clone(),
        });
    let unasked = unasked.collect();
    let variables = ready
        .loosening
        .map_or(&[][..], |loosening| loosening.variables);
    Ok(Answers {
        outcomes,
        unasked,
        findings: effect::findings(&ready.target, &ready.rendering, variables)?,
    })
}

/// Sets up the world, and compares what the program has read with what the checks find.
pub(crate) fn reads(place: &Place) -> Result<ExitCode> {
    let ready = Ready::new(place, 0)?;
    let world = ready.world()?;
    let session = Session {
        world: &world,
        cache: &Cache::in_world(),
        package: &ready.pin.npm,
        version: &place.version,
        rendering: &ready.rendering,
    };
    let different = reads::compare(&session, ready.program.name)?;
    Ok(ExitCode::from(u8::from(different > 0)))
}

/// Sets up the world and leaves it to whoever is at the terminal.
pub(crate) fn shell(place: &Place) -> Result<ExitCode> {
    let ready = Ready::new(place, SHELL_LIMIT)?;
    let world = ready.world()?;
    println!("{}", ready.rendering.ledger());
    let status = Command::new("bash")
        .current_dir(WORKSPACE)
        .env_clear()
        .envs(world.environment())
        .status()?;
    Ok(ExitCode::from(u8::from(!status.success())))
}

/// All that is read before the machine is hidden.
struct Ready {
    cache: Cache,
    program: &'static Program,
    pin: Pin,
    loosening: Option<&'static Loosening>,
    target: Target,
    rendering: Rendering,
    questions: Vec<Question>,
}

impl Ready {
    fn new(place: &Place, limit: usize) -> Result<Self> {
        let program = program::named(&place.program).ok_or("no such program")?;
        let pins = Pins::read()?.programs;
        let pin = pins.get(program.name).ok_or("no pin")?.clone();
        let policies = policies::all()?;
        let named = policies.iter().find(|named| named.name == place.policy);
        let policy = &named.ok_or("no such policy")?.policy;
        let (harness, version) = match &pin.rendered_for {
            Some(other) => (other.harness.parse::<Harness>()?, other.version.clone()),
            None => (program.harness, place.version.clone()),
        };
        let target = Target::new(harness, version, Os::Linux);
        let rendering = render(policy, &target, Hardening::Standard)?;
        let questions = questions(policy, rendering.ledger(), program.channels);
        let loosening = match &place.loosening {
            None => None,
            Some(name) => Some(
                loosening::of(program.name)
                    .find(|loosening| loosening.name == name)
                    .ok_or("no such loosening")?,
            ),
        };
        Ok(Self {
            loosening,
            target,
            cache: Cache::of_user()?,
            program,
            pin,
            questions: thinned(questions, limit, program.patience.min(limit)),
            rendering,
        })
    }

    /// The world, with names, managed files and the files that are asked about.
    fn world(&self) -> Result<World> {
        let world = World::enter(&self.cache, self.loosening)?;
        let names: Vec<String> = self
            .questions
            .iter()
            .filter(|question| question.action == Action::Reach)
            .filter_map(|question| Host::parse(&question.target).ok())
            .filter_map(|host| host.name().map(str::to_owned))
            .collect();
        world.name(names.iter().map(String::as_str), self.program.address)?;
        world.install(self.rendering.files())?;
        let files = self.loosening.map_or(&[][..], |loosening| loosening.files);
        for (path, text) in files {
            world.write(&loosening::place(path), text)?;
        }
        shell::prepare(&world, &self.questions)?;
        shell::write_down(&world, &self.questions)?;
        shell::control(&world, &self.questions)?;
        Ok(world)
    }
}
