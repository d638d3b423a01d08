//! The part of a run that happens inside the namespaces: one program, one release, one policy.

use std::process::{Command, ExitCode};

use harness_render::{Hardening, Os, Rendering, Target, render};
use policy_core::{Harness, Host};

use crate::Result;
use crate::cache::Cache;
use crate::cli::{Job, Place};
use crate::pins::{Pin, Pins};
use crate::policies;
use crate::program::{self, Program, Session};
use crate::question::{Action, Question, WORKSPACE, questions, thinned};
use crate::shell;
use crate::verdict::Outcome;
use crate::world::World;

/// Questions of a shell that someone else types into.
const SHELL_LIMIT: usize = 10_000;

/// Sets up the world, asks, and judges.
pub(crate) fn run(job: &Job) -> Result<Vec<Outcome>> {
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
    let place = (
        ready.program.name,
        &*job.place.version.to_string(),
        &*job.place.policy,
    );
    Ok(asked
        .into_iter()
        .filter_map(|asked| {
            let question = ready.questions.get(asked.question)?;
            Some(Outcome::new(place, asked.by, question, asked.seen))
        })
        .collect())
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
            Some(other) => (
                Harness::from_name(&other.harness).ok_or("no such harness")?,
                other.version.clone(),
            ),
            None => (program.harness, place.version.clone()),
        };
        let target = Target::new(harness, version, Os::Linux);
        let rendering = render(policy, &target, Hardening::Standard)?;
        let questions = questions(policy, rendering.ledger(), program.channels);
        Ok(Self {
            cache: Cache::of_user()?,
            program,
            pin,
            questions: thinned(questions, limit),
            rendering,
        })
    }

    /// The world, with names, managed files and the files that are asked about.
    fn world(&self) -> Result<World> {
        let world = World::enter(&self.cache)?;
        let names: Vec<String> = self
            .questions
            .iter()
            .filter(|question| question.action == Action::Reach)
            .filter_map(|question| Host::parse(&question.target).ok())
            .filter_map(|host| host.name().map(str::to_owned))
            .collect();
        world.name(names.iter().map(String::as_str), self.program.address)?;
        world.install(self.rendering.files())?;
        shell::prepare(&world, &self.questions)?;
        shell::write_down(&world, &self.questions)?;
        Ok(world)
    }
}
