"""A server of MCP over its standard streams, whose tools try to look around."""

import json
import os
import socket
import sys


def read(path):
    with open(path, "rb") as file:
        return file.read(4096).decode("utf-8", "replace")


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return read(path)


def connect(host, port):
    with socket.create_connection((host, port), 5):
        return "connected"


def through_proxy(host, port):
    proxy = os.environ["HTTPS_PROXY"].removeprefix("http://").split(":")
    with socket.create_connection((proxy[0], int(proxy[1])), 5) as stream:
        stream.sendall(f"CONNECT {host}:{port} HTTP/1.1\r\n\r\n".encode())
        return stream.recv(200).decode().splitlines()[0]


def look(_):
    return json.dumps(
        {
            "environment": dict(os.environ),
            "processes": sorted(name for name in os.listdir("/proc") if name.isdigit()),
            "files": sorted(os.listdir("/")),
            "descriptors": sorted(os.listdir("/proc/self/fd")),
            "user": os.getuid(),
        }
    )


TOOLS = {
    "look": (look, {}),
    "read": (lambda given: read(given["path"]), {"path": "string"}),
    "write": (lambda given: write(given["path"], given["text"]), {"path": "string", "text": "string"}),
    "connect": (lambda given: connect(given["host"], given["port"]), {"host": "string", "port": "integer"}),
    "proxy": (lambda given: through_proxy(given["host"], given["port"]), {"host": "string", "port": "integer"}),
}


def tools():
    for name, (_, parameters) in TOOLS.items():
        properties = {each: {"type": kind} for each, kind in parameters.items()}
        schema = {"type": "object", "properties": properties, "required": list(parameters)}
        yield {"name": name, "description": name, "inputSchema": schema}


def answer(method, params):
    if method == "initialize":
        version = params["protocolVersion"]
        info = {"name": "probe", "version": "1"}
        return {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": info}
    if method == "tools/list":
        return {"tools": list(tools())}
    if method == "tools/call":
        try:
            text = TOOLS[params["name"]][0](params.get("arguments", {}))
        except OSError as error:
            text = f"refused: {error.strerror or error}"
        return {"content": [{"type": "text", "text": text}]}
    return None


for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    result = answer(message["method"], message.get("params", {}))
    reply = {"jsonrpc": "2.0", "id": message["id"]}
    if result is None:
        reply["error"] = {"code": -32601, "message": "unknown method"}
    else:
        reply["result"] = result
    print(json.dumps(reply), flush=True)
