"""Reads hellos in hexadecimal, a line each, and writes what an OpenSSL server acts on: a name in hexadecimal, "-" for none, "!"
for a refusal.

The server is OpenSSL behind a memory BIO: no socket, no certificate. Its callback for the server name runs as soon as it has
accepted the hello so far, which is before it looks for a certificate. The first line is the version of OpenSSL.
"""

import ssl
import sys
import warnings

warnings.simplefilter("ignore", DeprecationWarning)


answer = []


def name(connection, name, context):
    answer.append("-" if name is None else name.encode().hex())


def undecodable(unraisable):
    # A name that is not ASCII does not reach the callback, but this hook, as bytes.
    answer.append(unraisable.object.hex())


sys.unraisablehook = undecodable


def ask(hello):
    answer.clear()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1
    context.set_ciphers("ALL:@SECLEVEL=0")
    context.sni_callback = name
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    connection = context.wrap_bio(incoming, outgoing, server_side=True)
    incoming.write(hello)
    try:
        connection.do_handshake()
    except ssl.SSLError:
        pass
    return answer[0] if answer else "!"


print(ssl.OPENSSL_VERSION, flush=True)
for line in sys.stdin:
    print(ask(bytes.fromhex(line)), flush=True)
