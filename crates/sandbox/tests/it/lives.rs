//! What works in a sandbox.

use std::{fs, io::Read as _, time::Duration};

use sandbox::{Layer, Limits, Network, offers};

use crate::cage::Cage;

#[tokio::test]
async fn a_program_computes_and_has_a_scratch_folder() {
    let came = Cage::shell("echo $((6 * 7)); id -u; echo kept > note; cat note; pwd; echo $HOME").run().await;
    let came = came.unwrap();
    assert_eq!(came.code, Some(0), "{}", came.out);
    let lines: Vec<&str> = came.out.lines().collect();
    assert_eq!((lines[0], lines[2], lines[3], lines[4]), ("42", "kept", "/tmp", "/tmp"));
    assert_ne!(lines[1], "0");
}

#[tokio::test]
async fn without_its_layers_a_program_sees_this_machine() {
    let all = [Layer::Namespaces, Layer::Landlock, Layer::Seccomp, Layer::Limits, Layer::User];
    let caged = Cage::shell("ls /proc | grep -c '^[0-9]'").run().await.unwrap().out;
    let free = Cage::shell("ls /proc | grep -c '^[0-9]'").without(&all).run().await.unwrap().out;
    let count = |out: &str| out.trim().parse::<u32>().unwrap();
    assert!(count(&caged) < 5 && count(&free) > 5, "{caged} {free}");
}

#[tokio::test]
async fn its_exit_code_is_passed_on() {
    assert_eq!(Cage::shell("exit 7").run().await.unwrap().code, Some(7));
    assert_eq!(Cage::shell("sh -c 'kill -9 $$'; exit $?").run().await.unwrap().code, Some(128 + 9));
}

#[tokio::test]
async fn folders_are_there_as_declared() {
    let dir = std::env::temp_dir().join(format!("countersign-sandbox-{}", std::process::id()));
    let (read, write) = (dir.join("read"), dir.join("write"));
    for each in [&read, &write] {
        fs::create_dir_all(each).unwrap();
    }
    fs::write(read.join("text"), "to read").unwrap();
    std::os::unix::fs::chown(&write, Some(0x4000_0007), None).unwrap_or_default();
    let script = format!(
        "cat {0}/text; echo no > {0}/new || echo refused; echo yes > {1}/new && cat {1}/new; ls {2}",
        read.display(),
        write.display(),
        dir.display()
    );
    let mut cage = Cage::shell(&script);
    cage.policy.read = vec![read];
    cage.policy.write = vec![write.clone()];
    let came = cage.run().await.unwrap();
    assert!(came.out.starts_with("to read"), "{}", came.out);
    assert!(came.out.contains("refused") && came.out.contains("yes\nread\nwrite"), "{}", came.out);
    assert_eq!(fs::read_to_string(write.join("new")).unwrap(), "yes\n");
    fs::remove_dir_all(dir).unwrap();
}

#[tokio::test]
async fn one_port_leads_to_the_starter_and_nowhere_else() {
    let script = "import os, socket\n\
        host, port = os.environ['HTTPS_PROXY'].removeprefix('http://').split(':')\n\
        s = socket.create_connection((host, int(port)), 5)\n\
        s.sendall(b'hello'); print(s.recv(10).decode())\n\
        try: socket.create_connection(('127.0.0.1', 1), 2)\n\
        except OSError as e: print('refused')\n\
        try: socket.create_connection(('10.1.2.3', 80), 2)\n\
        except OSError as e: print('unreachable')\n";
    let mut cage = Cage::python(script);
    cage.policy.network = Network::OnePort;
    let (child, mut started) = cage.start().await.unwrap();
    let listener = started.listener.take().expect("a listener");
    let serving = tokio::task::spawn_blocking(move || {
        use std::io::Write as _;
        let (mut stream, _) = listener.accept().unwrap();
        let mut got = [0; 5];
        stream.read_exact(&mut got).unwrap();
        stream.write_all(b"heard").unwrap();
        got
    });
    let output =
        tokio::time::timeout(Duration::from_secs(60), child.wait_with_output()).await.unwrap().unwrap();
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(out.lines().collect::<Vec<_>>(), ["heard", "refused", "unreachable"], "{output:?}");
    assert_eq!(&serving.await.unwrap(), b"hello");
}

#[tokio::test]
async fn what_cannot_be_started_says_why() {
    let error = Cage::of(&["/nowhere/program"]).run().await.err().unwrap().to_string();
    assert!(error.contains("/nowhere/program"), "{error}");
    let mut cage = Cage::shell("true");
    cage.policy.read = vec!["/proc".into()];
    assert!(cage.run().await.err().unwrap().to_string().contains("/proc"));
    cage.policy.read = vec!["/srv/../etc".into()];
    assert!(cage.run().await.err().unwrap().to_string().contains("absolute"));
}

#[tokio::test]
async fn when_the_starter_lets_go_all_its_processes_end() {
    // The name is looked for in the list of processes.
    let name = format!("{}", 600_000 + std::process::id());
    let mut cage = Cage::shell(&format!(
        "trap '' TERM; (setsid sleep {name} &) ; sleep {name} & echo started; trap '' TERM; sleep {name}"
    ));
    cage.policy.limits = Limits::SERVICE;
    let (mut child, started) = cage.start().await.unwrap();
    let mut line = [0; 8];
    tokio::io::AsyncReadExt::read_exact(child.stdout.as_mut().unwrap(), &mut line).await.unwrap();
    wait_until("begin", || running(&name) == 3).await;
    drop(started);
    tokio::time::timeout(Duration::from_secs(60), child.wait()).await.unwrap().unwrap();
    wait_until("end", || running(&name) == 0).await;
    // And when the launcher is killed.
    let (mut child, started) = cage.start().await.unwrap();
    tokio::io::AsyncReadExt::read_exact(child.stdout.as_mut().unwrap(), &mut line).await.unwrap();
    wait_until("begin again", || running(&name) == 3).await;
    child.start_kill().unwrap();
    wait_until("be killed", || running(&name) == 0).await;
    drop(started);
}

async fn wait_until(what: &str, done: impl Fn() -> bool) {
    for _ in 0..100 {
        if done() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("they did not {what} within a minute");
}

/// How many processes sleep for this time.
fn running(name: &str) -> usize {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let lines = processes.filter_map(|process| fs::read(process.path().join("cmdline")).ok());
    lines.filter(|line| *line == format!("sleep\0{name}\0").into_bytes()).count()
}

#[tokio::test]
async fn this_machine_offers_all_that_is_needed() {
    let launcher = env!("CARGO_BIN_EXE_sandbox_launcher").into();
    let missing: Vec<_> = offers(Some(launcher)).await.into_iter().filter(|offer| !offer.works).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
