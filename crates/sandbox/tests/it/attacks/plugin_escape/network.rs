//! The network: sockets of every kind, and listeners outside.

use sandbox::{Network, Policy};

use super::{
    fixture::{Control, Fixture, LANDLOCK, NAMESPACES, SECCOMP, USER, fixture, judge},
    scene::Scene,
};

const ANY: Control = Control::Off(&[SECCOMP]);
const OUT: Control = Control::Off(&[SECCOMP, NAMESPACES]);
const AS_ROOT: Control = Control::RootOff(&[SECCOMP, USER]);

const NO_NETWORK: &[Fixture] = &[
    fixture("TCP socket", ANY, "tried(lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM))"),
    fixture("UDP socket", ANY, "tried(lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM))"),
    fixture(
        "IPv6 sockets",
        ANY,
        "\
tried(lambda: socket.socket(socket.AF_INET6, socket.SOCK_STREAM), lambda: socket.socket(socket.AF_INET6, socket.SOCK_DGRAM))",
    ),
    fixture("netlink socket", ANY, "tried(lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0))"),
    fixture(
        "raw and packet sockets",
        AS_ROOT,
        "\
tried(lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1), lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0))",
    ),
    fixture("vsock, a way to the host of a virtual machine", ANY, "reach('socket', 40, 1, 0)"),
    fixture(
        "families that few know",
        ANY,
        "\
for family in [*range(2, 47), 4711, -1]: reach('socket', family, 1, 0)",
    ),
    fixture(
        "socket with its family in the lower half only",
        ANY,
        "\
for family in [2, 10, 16]: reach('socket', 1 << 32 | family, 1 if family != 16 else 3, 0)",
    ),
    fixture(
        "pairs of sockets of other families",
        ANY,
        "\
for family in range(2, 47): reach('socketpair', family, 1, 0, 0)",
    ),
    fixture(
        "listener on the loopback",
        OUT,
        "print(socket.create_connection(('127.0.0.1', @port@), 3).recv(99))",
    ),
    fixture(
        "listener on this machine's address",
        OUT,
        "print(socket.create_connection(('@own@', @port@), 3).recv(99))",
    ),
    fixture(
        "listener by an IPv6-mapped address",
        OUT,
        "\
s = socket.socket(socket.AF_INET6); s.settimeout(3); s.connect(('::ffff:127.0.0.1', @port@)); print(s.recv(99))",
    ),
    fixture(
        "UDP to a listener",
        OUT,
        "\
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.settimeout(3)
s.sendto(b'x', ('127.0.0.1', @udp@)); print(s.recv(99))",
    ),
    fixture(
        "metadata of a cloud",
        Control::None("here is no such server"),
        "\
tried(lambda: socket.create_connection(('169.254.169.254', 80), 2))",
    ),
    fixture(
        "DNS",
        Control::None("here may be no DNS server"),
        "\
tried(lambda: socket.getaddrinfo('example.com', 80), lambda: socket.gethostbyname('canary.example.com'))",
    ),
    fixture(
        "abstract Unix socket outside",
        Control::Off(&[NAMESPACES, LANDLOCK]),
        "\
s = socket.socket(socket.AF_UNIX); s.settimeout(3); s.connect('\\0@abstract@'); print(s.recv(99))",
    ),
    fixture(
        "Unix socket in a folder outside",
        Control::Off(&[NAMESPACES]),
        "\
s = socket.socket(socket.AF_UNIX); s.settimeout(3); s.connect('@outside@/socket'); print(s.recv(99))",
    ),
];

const ONE_PORT: &[Fixture] = &[
    port("UDP sockets", ANY, "\
tried(lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM), lambda: socket.socket(socket.AF_INET6, socket.SOCK_DGRAM))"),
    port("datagrams with flags", ANY, "reach('socket', 2, 2 | 0o2004000, 0)"),
    port("raw, packet and netlink sockets", AS_ROOT, "\
tried(lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1), lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0))
reach('socket', 16, 3, 0)"),
    port("streams that are no TCP", ANY, "\
# SCTP, MPTCP, SMC, DCCP and an old kind of packets.
for family, kind, protocol in [(2, 1, 132), (2, 1, 262), (10, 1, 262), (2, 1, 256), (2, 6, 33), (2, 10, 0)]:
    reach('socket', family, kind, protocol)"),
    port("listener on the loopback", Control::Off(&[NAMESPACES]), "print(socket.create_connection(('127.0.0.1', @port@), 3).recv(99))"),
    port("listener on this machine's address", Control::Off(&[NAMESPACES]), "print(socket.create_connection(('@own@', @port@), 3).recv(99))"),
    port("listener by an IPv6-mapped address", Control::Off(&[NAMESPACES]), "\
s = socket.socket(socket.AF_INET6); s.settimeout(3); s.connect(('::ffff:127.0.0.1', @port@)); print(s.recv(99))"),
    port("metadata of a cloud, DNS over TCP, the internet", Control::None("here may be no network"), "\
for place in [('169.254.169.254', 80), ('192.0.2.1', 53), ('8.8.8.8', 53), ('10.0.0.1', 80), ('fd00::1', 80)]:
    tried(lambda: socket.create_connection(place, 2))
tried(lambda: socket.getaddrinfo('example.com', 80))"),
    port("abstract Unix socket outside", Control::Off(&[NAMESPACES, LANDLOCK]), "\
s = socket.socket(socket.AF_UNIX); s.settimeout(3); s.connect('\\0@abstract@'); print(s.recv(99))"),
    port("address of its own loopback changed", Control::RootOff(&[USER]), "\
import fcntl
s = socket.socket()
request = b'lo'.ljust(16, b'\\0') + (0).to_bytes(2, 'little') + bytes(22)
tried(lambda: fcntl.ioctl(s, 0x8914, request))"),
];

const fn port(name: &'static str, control: Control, script: &'static str) -> Fixture {
    fixture(name, control, script).with(|policy: &mut Policy| policy.network = Network::OnePort)
}

#[tokio::test]
async fn without_a_network_nothing_is_reached() {
    judge("no network", &Scene::new(), NO_NETWORK).await;
}

#[tokio::test]
async fn through_the_one_port_nothing_else_is_reached() {
    judge("one port", &Scene::new(), ONE_PORT).await;
}
