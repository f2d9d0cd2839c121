"""Kinds of secrets as they stand in chats, tools' outputs and job infos: a text with the secret at `{}`.

Made at run time (`tests.redaction.fakes`), so that no scanner finds one in this repository. The forms are
those that services and programs document for their keys and files.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from typing import NamedTuple

from tests.redaction.fakes import ALNUM, BASE64, DIGITS, HEX, LOWER, UPPER, WORD, Fakes, basic
from tests.redaction.positives import POSITIVES

Make = Callable[[Fakes], str]

ESCAPED_LINE_END = "\\n"


class Kind(NamedTuple):
    """One kind: its name, the text around the secret, and what makes the secret."""

    name: str
    form: str
    make: Make

    def text(self, secret: str) -> str:
        """The text with the secret in it."""
        return self.form.replace("{}", secret)


def of(alphabet: str, length: int, before: str = "", after: str = "") -> Make:
    return lambda fakes: before + fakes.of(alphabet, length) + after


def key_block(kind: str, escaped: bool = False, cut: bool = False) -> Make:
    def make(fakes: Fakes) -> str:
        _, lines = fakes.key_block(kind)
        lines = lines[:-2] if cut else lines
        return (ESCAPED_LINE_END if escaped else "\n").join(lines)

    return make


def weak(fakes: Fakes) -> str:
    """A short password with a digit."""
    return fakes.of(LOWER, 6).translate(str.maketrans(DIGITS, "klmnopqrst")) + fakes.of(DIGITS, 2)


def letters(fakes: Fakes) -> str:
    """A password of lower-case letters only."""
    return "".join(fakes.random.choice("bcdfghjklmnpqrstvwxz") for _ in range(11))


def coded(fakes: Fakes) -> str:
    """Base64 of `user:password`."""
    return basic("admin:" + weak(fakes) + fakes.of(ALNUM, 6))


def edge(kind: str, end: str = "BEGIN") -> str:
    return f"-----{end} {kind}-----"


def _blocks() -> Iterator[Kind]:
    for kind in ("RSA PRIVATE KEY", "EC PRIVATE KEY", "OPENSSH PRIVATE KEY", "PRIVATE KEY"):
        begin, end = edge(kind), edge(kind, "END")
        yield Kind(f"{kind}", f"{begin}\n{{}}\n{end}", key_block(kind))
        yield Kind(f"{kind} cut off", f"{begin}\n{{}}", key_block(kind, cut=True))
        escaped = f'{{"private_key": "{begin}\\n{{}}\\n{end}\\n"}}'
        yield Kind(f"{kind} in JSON", escaped, key_block(kind, escaped=True))
        cut = f'{{"private_key": "{begin}\\n{{}}'
        yield Kind(f"{kind} in JSON cut off", cut, key_block(kind, escaped=True, cut=True))
    kind = "PGP PRIVATE KEY BLOCK"
    form = f"{edge(kind)}\nVersion: GnuPG v2\n\n{{}}\n{edge(kind, 'END')}"
    yield Kind("PGP private key", form, key_block(kind))
    service = {"type": "service_account", "project_id": "p", "private_key_id": "x", "private_key": "@"}
    begin, end = edge("PRIVATE KEY"), edge("PRIVATE KEY", "END")
    text = json.dumps({**service, "client_email": "a@p.iam.gserviceaccount.com"})
    form = text.replace("@", f"{begin}\\n{{}}\\n{end}\\n", 1)
    yield Kind("service account", form, key_block("PRIVATE KEY", escaped=True))
    pem = f"    -----BEGIN PRIVATE KEY-----\n    {{}}\n    {edge('PRIVATE KEY', 'END')}"
    yield Kind("private key in YAML", f"tls:\n  key: |\n{pem}", of(BASE64, 64))


def _services() -> Iterator[Kind]:
    for name, token in Fakes().tokens().items():
        del token
        yield Kind(name, "the value is {} here", lambda fakes, name=name: fakes.tokens()[name])  # type: ignore[misc]
    more: dict[str, Make] = {
        "aws temporary key": of(UPPER + "234567", 16, "AS" + "IA"),
        "github fine-grained": of(ALNUM, 59, "github" + "_pat_" + "11ABCDEFG0a1b2c3d4e5f6_"),
        "github oauth": of(ALNUM, 36, "gh" + "o_"),
        "github server": of(ALNUM, 36, "gh" + "s_"),
        "github user": of(ALNUM, 36, "gh" + "u_"),
        "slack user": of(HEX, 32, "xo" + "xp-123456789012-123456789012-123456789012-"),
        "slack app": of(HEX, 64, "xa" + "pp-1-A0123456789-1234567890123-"),
        "slack webhook": of(ALNUM, 24, "https://hooks.sl" + "ack.com/services/T0ABCDEFG/B0ABCDEFG/"),
        "discord webhook": of(WORD, 68, "https://disc" + "ord.com/api/webhooks/123456789012345678/"),
        "discord bot": lambda fakes: f"MT{fakes.of(ALNUM, 22)}.{fakes.of(WORD, 6)}.{fakes.of(WORD, 38)}",
        "stripe restricted": of(ALNUM, 24, "rk" + "_live_"),
        "stripe test": of(ALNUM, 24, "sk" + "_test_"),
        "openai classic": of(ALNUM, 48, "sk" + "-"),
        "deepseek": of(HEX, 32, "sk" + "-"),
        "airtable": lambda fakes: "pat" + fakes.of(ALNUM, 14) + "." + fakes.of(HEX, 64),
        "atlassian": of(ALNUM, 180, "ATA" + "TT3xFfGF0"),
        "square": of(WORD, 22, "sq0" + "atp-"),
        "cerebras": of(LOWER + DIGITS, 48, "cs" + "k-"),
        "bedrock": of(ALNUM, 120, "AB" + "SK"),
        "rubygems": of(HEX, 48, "ruby" + "gems_"),
        "postman": lambda fakes: "PM" + "AK-" + fakes.of(HEX, 24) + "-" + fakes.of(HEX, 34),
        "supabase secret": of(WORD, 31, "sb" + "_secret_"),
        "langfuse": lambda fakes: "sk-" + "lf-" + "0a1b2c3d-1234-4abc-8def-" + fakes.of(HEX, 12),
        "google oauth": of(WORD, 120, "ya" + "29."),
        "firebase refresh": of(WORD, 60, "1/" + "/0"),
        "azure ad secret": lambda fakes: fakes.of(ALNUM, 3) + "8Q~" + fakes.of(WORD + ".~", 34),
        "heroku": of(WORD, 58, "HRKU" + "-AA"),
        "password hash": of(ALNUM + "./", 53, "$2y$10$"),
        "jwt without body": of(WORD, 40, "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0."),
        "confluent": of(BASE64, 60, "cf" + "lt"),
        "planetscale": of(WORD, 43, "pscale" + "_tkn_"),
        "ngrok-like": lambda fakes: "2" + fakes.of(ALNUM, 26) + "_" + fakes.of(ALNUM, 21),
        "scaleway-like": of(UPPER + DIGITS, 17, "SC" + "W"),
        "hashicorp batch": of(WORD, 100, "hv" + "b.AAAAAQ"),
        "codecov-like jwt": lambda fakes: fakes.jwt(),
        "easypost": of(ALNUM, 54, "EZ" + "AK"),
        "duffel": of(WORD, 43, "duffel" + "_live_"),
        "dynatrace": lambda fakes: (
            "dt0" + "c01." + fakes.of(UPPER + DIGITS, 24) + "." + fakes.of(UPPER + DIGITS, 64)
        ),
        "buildkite": of(HEX, 40, "bk" + "ua_"),
        "netlify": of(ALNUM, 36, "nf" + "p_"),
        "flyio": of(BASE64, 120, "fo1_"),
        "prefect": of(LOWER + DIGITS, 36, "pn" + "u_"),
        "adafruit": of(ALNUM, 28, "ai" + "o_"),
        "brevo": lambda fakes: "xkey" + "sib-" + fakes.of(HEX, 64) + "-" + fakes.of(ALNUM, 16),
        "wandb v1": of(WORD, 77, "wandb" + "_v1_"),
        "voyage": of(WORD, 43, "pa" + "-"),
        "elevenlabs": of(HEX, 48, "sk" + "_"),
        "exa-jina": of(ALNUM, 60, "ji" + "na_"),
        "assembly serp firecrawl": of(HEX, 32, "fc" + "-"),
        "e2b": of(HEX, 40, "e2" + "b_"),
        "lambda-labs": lambda fakes: "secret_" + "lab_" + fakes.of(HEX, 32) + "." + fakes.of(ALNUM, 32),
        "vercel": of(ALNUM, 24, "vc" + "p_"),
        "okta-like": of(WORD, 40, "00"),
        "1password service": of(BASE64, 250, "ops" + "_eyJ"),
        "clickhouse": of(ALNUM, 38, "4b" + "1d"),
        "gitea/forgejo": of(HEX, 40),
        "sonar": of(HEX, 40, "sq" + "p_"),
        "contentful": of(WORD, 43, "CFPAT-"),
        "readme": of(LOWER + DIGITS, 70, "rd" + "me_"),
        "sendinblue smtp": lambda fakes: "xsmtp" + "sib-" + fakes.of(HEX, 64) + "-" + fakes.of(ALNUM, 16),
    }
    bare = {
        "azure ad secret",
        "ngrok-like",
        "okta-like",
        "clickhouse",
        "gitea/forgejo",
        "voyage",
        "discord bot",
    }
    for name, make in more.items():
        # What has no prefix of its own can only be told by the words around it.
        yield Kind(name, "API_TOKEN={}" if name in bare else "the value is {} here", make)


def _files() -> Iterator[Kind]:
    key32 = of(ALNUM, 32)
    yield Kind("netrc", "machine api.example.org\n  login me\n  password {}\n", weak)
    yield Kind("pgpass", "cat ~/.pgpass\ndb.example.org:5432:app:admin:{}\n", weak)
    yield Kind("kubeconfig", "users:\n- name: a\n  user:\n    token: {}\n", of(ALNUM, 60))
    yield Kind("kubeconfig key", "    client-key-data: {}\n", of(BASE64, 400))
    yield Kind("docker config", '{"auths": {"https://index.docker.io/v1/": {"auth": "{}"}}}', coded)
    yield Kind("htpasswd", "admin:{}\n", of(ALNUM + "./", 22, "$apr1$abcdefgh$"))
    yield Kind("htpasswd sha", "admin:{SHA}{}\n", of(BASE64, 27, "", "="))
    yield Kind("shadow", "root:{}:19000:0:99999:7:::\n", of(ALNUM + "./", 86, "$6$abcdefgh$"))
    yield Kind("env file", "FOO=1\nFOO_API_KEY={}\nBAR=2\n", key32)
    yield Kind("env file password", "POSTGRES_PASSWORD={}\n", letters)
    yield Kind("yaml password", "db:\n  host: h\n  password: {}\n", weak)
    yield Kind("yaml at line start", "host: h\npassword: {}\nport: 5432\n", weak)
    yield Kind("yaml key at line start", "model: m\napi_key: {}\nurl: u\n", key32)
    yield Kind("yaml token at line start", "token: {}\n", key32)
    yield Kind("yaml secret at line start", "aws_secret_access_key: {}\n", of(BASE64, 40))
    yield Kind("yaml quoted at line start", "db_password: '{}'\n", weak)
    yield Kind("yaml on the next line", "password:\n  {}\n", weak)
    yield Kind("pgpass at line start", "localhost:5432:app:admin:{}\n", weak)
    yield Kind("yaml list", "secrets:\n  - name: api-token\n    value: {}\n", key32)
    yield Kind("toml", '[tool]\nsecret_key = "{}"\n', key32)
    yield Kind("ini", "[db]\nuser = a\npassword = {}\n", weak)
    yield Kind("properties", "spring.mail.password={}\n", weak)
    yield Kind("xml element", "<connection><password>{}</password></connection>", weak)
    yield Kind("xml attribute", '<server username="deploy" password="{}"/>', weak)
    yield Kind("maven settings", "<server><id>x</id><password>{}</password></server>", weak)
    yield Kind("npmrc", "//registry.npmjs.org/:_authToken={}\n", of(HEX, 36))
    yield Kind("npmrc auth", "_auth={}\n", coded)
    yield Kind("pypirc", "[pypi]\nusername = a\npassword = {}\n", weak)
    yield Kind("git credentials", "https://me:{}@github.com\n", of(HEX, 40))
    yield Kind("aws credentials", "[default]\naws_secret_access_key = {}\n", of(BASE64, 40))
    yield Kind("aws session", "aws_session_token = {}\n", of(BASE64, 300))
    yield Kind(
        "azure storage",
        "DefaultEndpointsProtocol=https;AccountName=n;AccountKey={};",
        of(BASE64, 86, "", "=="),
    )
    yield Kind(
        "service bus", "Endpoint=sb://h/;SharedAccessKeyName=R;SharedAccessKey={}", of(BASE64, 43, "", "=")
    )
    yield Kind(
        "sas", "https://n.blob.core.windows.net/c?sv=2022-11-02&sp=r&sig={}&se=2026", of(ALNUM, 43, "", "%3D")
    )
    yield Kind("presigned", "https://b.s3.amazonaws.com/k?X-Amz-Expires=60&X-Amz-Signature={}", of(HEX, 64))
    yield Kind("query string", "GET /v1/items?api_key={}&page=2 HTTP/1.1", key32)
    yield Kind("query string sig", "https://h.example.org/x?a=1&sig={}", key32)
    yield Kind("query string token", "https://h.example.org/x?token={}", key32)
    yield Kind("terraform", 'variable "db_password" {\n  default = "{}"\n}', weak)
    yield Kind("ansible", "ansible_become_pass: {}\n", weak)
    yield Kind("rails", "secret_key_base: {}\n", of(HEX, 128))
    yield Kind("django", 'SECRET_KEY = "{}"\n', of(ALNUM + "-_!", 50))
    yield Kind("wifi", 'network={ ssid="x" psk="{}" }', of(ALNUM, 16))
    yield Kind("rclone", "[s3]\ntype = s3\nsecret_access_key = {}\n", of(ALNUM, 40))
    yield Kind("gcloud adc", '{"client_id": "x", "client_secret": "{}", "refresh_token": "y"}', of(WORD, 24))


def _commands() -> Iterator[Kind]:
    key32 = of(ALNUM, 32)
    yield Kind("flag", "tool --api-key {} --verbose", key32)
    yield Kind("flag with equals", "tool --auth-token={} run", key32)
    yield Kind("flag list", '["tool", "--api-key", "{}"]', key32)
    yield Kind("export", "export TOKEN={}; ./run.sh", key32)
    yield Kind("export quoted", 'export MY_SECRET="{}"', key32)
    yield Kind("setx", "$env:API_TOKEN = '{}'", key32)
    yield Kind("dockerfile env", "ENV API_KEY {}\n", key32)
    yield Kind("docker -e", "docker run -e DB_PASSWORD={} img", weak)
    yield Kind("curl -H", 'curl -sH "Authorization: Bearer {}" https://api.example.org', of(ALNUM, 40))
    yield Kind("curl key header", "curl -H 'x-goog-api-key: {}' https://api.example.org", key32)
    yield Kind(
        "curl private token", 'curl --header "PRIVATE-TOKEN: {}" https://git.example.org', of(WORD, 20)
    )
    yield Kind("curl -u", "curl -u admin:{} https://h.example.org", weak)
    yield Kind("curl -u quoted", "curl -u 'admin:{}' https://h.example.org", weak)
    yield Kind("mysql -p", "mysql -uroot -p{} db", weak)
    yield Kind("sshpass", "sshpass -p '{}' ssh me@h", weak)
    yield Kind("sshpass bare", "sshpass -p {} ssh me@h", weak)
    yield Kind("psql", "PGPASSWORD='{}' psql -h db", weak)
    yield Kind("redis-cli", "redis-cli -h r -a {} ping", weak)
    yield Kind("echo pipe", "echo {} | docker login -u me --password-stdin", weak)
    yield Kind("openssl", "openssl enc -aes-256-cbc -pass pass:{} -in x", weak)
    yield Kind("git clone", "git clone https://oauth2:{}@gitlab.example.org/a/b.git", of(ALNUM, 20))
    yield Kind("basic header", "Authorization: Basic {}", coded)
    yield Kind("bearer", "Authorization: Bearer {}", of(ALNUM, 40))
    yield Kind("api key header", "X-API-Key: {}", key32)
    yield Kind("token header", "authorization: Token {}", of(HEX, 40))
    yield Kind("cookie", "Cookie: sessionid={}; csrftoken=abc", key32)
    yield Kind("set-cookie", "Set-Cookie: session={}; HttpOnly", key32)
    for scheme in ("postgres", "postgresql+psycopg", "mysql", "mongodb+srv", "amqp", "ftp", "smtp", "ldap"):
        yield Kind(f"dsn {scheme}", scheme + "://svc:{}@db.example.org:1234/x", weak)
    yield Kind("dsn redis", "redis://:{}@cache.example.org:6379/0", weak)
    yield Kind("dsn odd", "postgres://svc:{}@db.example.org/x", lambda f: weak(f) + "#" + weak(f))
    yield Kind("jdbc", "jdbc:mysql://h/db?user=a&password={}", weak)
    yield Kind("odbc", "Driver={X};Server=h;Uid=a;Pwd={};", weak)
    yield Kind("python", 'client = OpenAI(api_key="{}")', key32)
    yield Kind("python dict", "config = {'token': '{}', 'n': 1}", key32)
    yield Kind("ruby hash", ':api_key => "{}"', key32)
    yield Kind("ruby new hash", "api_key: '{}', model: 'x'", key32)
    yield Kind("ruby key", "{key: '{}', url: 'x'}", of(ALNUM, 40))
    yield Kind("ruby inspect", '{"password"=>"{}", "user"=>"a"}', weak)
    yield Kind("javascript", "const password = '{}';", weak)
    yield Kind("json", '{"api_key": "{}", "n": 1}', key32)
    yield Kind("json password", '{"username":"a","password":"{}"}', weak)
    yield Kind("json camel", '{"accessToken":"{}","expiresIn":3600}', key32)
    yield Kind("json secret", '{"clientSecret": "{}"}', key32)
    yield Kind("form body", "grant_type=password&username=a&password={}", weak)
    yield Kind("sentence", "the password is {}", weak)
    yield Kind("sentence key", "my api key is {}, please use it", key32)
    yield Kind("sentence quoted", 'The root password: "{}"', weak)
    yield Kind("spanish", "la contraseña es {}", weak)
    yield Kind("table", "| db | password | {} |", weak)
    yield Kind("log", "INFO login user=a password={} ok", weak)
    yield Kind("exception", "RuntimeError: 401 for https://api.example.org/?key={}", of(ALNUM, 39))


def _more() -> Iterator[Kind]:
    key32 = of(ALNUM, 32)
    words = "abandon ability able about above absent absorb abstract absurd abuse access "
    yield Kind("aws configure", "aws configure set aws_secret_access_key {} --profile x", of(ALNUM, 40))
    yield Kind("npm config", "npm config set //registry.npmjs.org/:_authToken {}", of(HEX, 36))
    yield Kind("git config", "git config --global user.password {}", weak)
    yield Kind("wandb login", "wandb login --relogin {}", of(HEX, 40))
    yield Kind("slack cookie", "d={}", of(ALNUM, 60, "xo" + "xd-"))
    yield Kind("pass in JSON", '{"user": "a", "pass": "{}"}', weak)
    yield Kind("pass in a form", "user=a&pass={}&x=1", weak)
    yield Kind("sign-in", 'session.login("admin", "{}")', weak)
    yield Kind("requests auth", 'requests.get(url, auth=("admin", "{}"))', weak)
    yield Kind("basic auth object", "HTTPBasicAuth('admin', '{}')", weak)
    yield Kind("pair with a slash", "user/password: admin/{}", weak)
    yield Kind("pair with blanks", "credentials: admin / {}", weak)
    yield Kind("xml value", '<password value="{}"/>', weak)
    yield Kind(
        "aws signature", "AWS4-HMAC-SHA256 Credential=x, SignedHeaders=host, Signature={}", of(HEX, 64)
    )
    yield Kind("appid", "GET /data/2.5/weather?q=x&appid={}", of(HEX, 32))
    yield Kind("mnemonic", f"mnemonic: {words}{{}}", lambda fakes: letters(fakes)[:8])
    yield Kind("here-string", "sudo -S ls <<< {}", weak)
    yield Kind("session cookie", "the cookie was PHPSESSID={}", key32)
    yield Kind("setdefault", 'os.environ.setdefault("OPENAI_API_KEY", "{}")', key32)
    yield Kind("node default", "const key = process.env.API_KEY || '{}';", key32)
    yield Kind("identified by", 'CREATE USER a IDENTIFIED BY "{}"', weak)
    yield Kind("password function", "SET PASSWORD = PASSWORD('{}');", weak)
    yield Kind("zapier", "https://hooks.zapier.com/hooks/catch/12345/{}/", of(LOWER + DIGITS, 12))
    yield Kind("kubectl", "kubectl create secret generic s --from-literal=password={}", weak)
    yield Kind("helm", "helm install x --set auth.password={}", weak)
    yield Kind("java", "java -Djavax.net.ssl.keyStorePassword={} -jar x", weak)
    yield Kind("sentry dsn", "https://{}@o1.ingest.sentry.io/1", of(HEX, 32))
    yield Kind("ethereum", "private key: 0x{}", of(HEX, 64))
    yield Kind("wireguard", "PrivateKey = {}", of(BASE64, 43, "", "="))
    yield Kind("totp", "otpauth://totp/x?secret={}&issuer=y", of(UPPER + "234567", 32))
    yield Kind("azure cli", "az storage blob list --account-key {}", of(BASE64, 86, "", "=="))


def kinds() -> list[Kind]:
    """All kinds, each name once."""
    told = [
        Kind(f"place {number}: {form[:40]}", form, make) for number, (form, make, _) in enumerate(POSITIVES)
    ]
    return [*_blocks(), *_services(), *_files(), *_commands(), *_more(), *told]


def pieces(secret: str) -> set[str]:
    """What of a secret must not be found: all of a short one; of each line of a long one three parts."""
    found: set[str] = set()
    for line in secret.replace(ESCAPED_LINE_END, "\n").split("\n"):
        if len(line) < 24:
            found.add(line)
            continue
        middle = len(line) // 2
        found |= {line[:24], line[middle - 8 : middle + 8], line[-16:]}
    if ":" not in secret and len(secret) % 4 == 0:
        try:
            plain = base64.b64decode(secret, validate=True)
            if plain.startswith(b"admin:"):
                found.add(plain[6:].decode())
        except ValueError:
            pass
    return found
