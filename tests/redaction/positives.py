"""Texts that hold a secret at `{}`: the form, what makes the secret, the name in the marker (None: any)."""

from __future__ import annotations

from collections.abc import Callable

from tests.redaction.fakes import ALNUM, BASE64, HEX, Fakes, basic

Make = Callable[[Fakes], str]


def key(length: int = 32) -> Make:
    return lambda fakes: fakes.of(ALNUM, length)


def base64(length: int) -> Make:
    return lambda fakes: fakes.of(BASE64, length)


def digest(fakes: Fakes) -> str:
    return fakes.of(HEX, 32)


def word(text: str) -> Make:
    return lambda _fakes: text


weak = word("hun" + "ter2")

POSITIVES: list[tuple[str, Make, str | None]] = [
    # options of a chat: the content of the message, and the whole line inside a tool's output
    ("api_key {}", key(), "api-key"),
    ("token {}", key(20), "token"),
    ("password {}", weak, "password"),
    ("client_secret {}", key(), "secret"),
    ("option: api_key {}", key(), "api-key"),
    ("sticky_option: token {}", key(20), "token"),
    ("endpoint: http://u:{}@h.example.org/v1", weak, "url-password"),
    ("endpoint: lab\napi_key {}\nmodel m", key(), "api-key"),
    ("url: https://api.example.org/v1\nkey: {}\nmodel: m", key(40), "key"),
    # assignments, JSON, YAML, code
    ("api_key={}", key(), "api-key"),
    ("apikey: {}", key(), "api-key"),
    ("api_key:\t{}", key(), "api-key"),
    ('"api_key": "{}"', key(), "api-key"),
    ('"apiKey":"{}"', key(), "api-key"),
    ("'api-key' => '{}'", key(), "api-key"),
    (":api_key => '{}'", key(), "api-key"),
    ("OPENAI_API_KEY={}", key(48), "api-key"),
    ('export MISTRAL_API_KEY="{}"', key(), "api-key"),
    ("export CO_API_KEY={}; run", key(40), "api-key"),
    ('os.environ["API_KEY"] = "{}"', key(), "api-key"),
    ('api_key: str = "{}"', key(), "api-key"),
    ('api_key: Optional[str] = "{}"', key(), "api-key"),
    ("const apiKey = `{}`;", key(), "api-key"),
    ('client = Client(api_key="{}")', key(), "api-key"),
    ('if token == "{}":', key(), "token"),
    ('api_key = "{}..."', key(24), "api-key"),
    ('"ocp-apim-subscription-key": "{}"', digest, "api-key"),
    ("DD_API_KEY={}", digest, "api-key"),
    ("SECRET_KEY = 'django-insecure-{}'", key(40), "api-key"),
    ("client_secret: {}", key(), "secret"),
    ('"client_secret":"{}"', key(), "secret"),
    ("secret={}", key(24), "secret"),
    ("TWILIO_AUTH_TOKEN={}", digest, "token"),
    ('"refresh_token": "{}"', key(60), "token"),
    ('"token":"{}"', key(30), "token"),
    ('token = "{}"', key(24), "token"),
    ("//registry.npmjs.org/:_authToken={}", key(36), "token"),
    ('{"auths":{"r.example.org":{"auth":"{}"}}}', lambda _: basic("user:pa55word"), "token"),
    # JSON escaped inside JSON, once and twice, and lines inside a JSON string
    ('{"name":"http","arguments":{"body":"{\\"api_key\\":\\"{}\\"}"},"id":"call_1"}', key(), "api-key"),
    ('\\\\\\"api_key\\\\\\":\\\\\\"{}\\\\\\"', key(), "api-key"),
    ('{"content":"A=1\\nAPI_KEY={}\\nB=2"}', key(), "api-key"),
    ('{"arguments":"{\\"headers\\":{\\"Authorization\\":\\"Bearer {}\\"}}"}', key(40), None),
    # headers
    ("x-api-key: {}", key(), "api-key"),
    ('curl -H "X-Api-Key: {}" https://a.example.org', key(), "api-key"),
    ("curl -H 'Authorization: Bearer {}' https://a.example.org", key(40), None),
    ("Authorization: Bearer {}", key(40), None),
    ("authorization: token {}", key(40), "authorization"),
    ("Authorization: Basic {}", lambda _: basic("user:passwort"), "authorization"),
    ("Proxy-Authorization: Basic {}", lambda _: basic("me:se cret!"), "authorization"),
    ('{"Authorization": "Bearer {}"}', key(40), None),
    ("send it as bearer {}", key(40), "bearer-token"),
    ("Cookie: session={}; theme=dark", key(), "cookie"),
    ("Set-Cookie: sid={}; Path=/", key(), "cookie"),
    # passwords
    ("password: {}", weak, "password"),
    ("password={}", weak, "password"),
    ('"password": "{}"', weak, "password"),
    ("DB_PASSWORD={}", word("swordfish"), "password"),
    ("PGPASSWORD={} psql -h db", word("postgres"), "password"),
    ("MYSQL_PWD={}", word("s3cr3t!"), "password"),
    ("NEO4J_PASSWORD={}", word("changeit1"), "password"),
    ("passwd='{}'", word("tr0ub4dor&3"), "password"),
    ("password: {}", word("P@ss,w0rd&x"), "password"),
    ('"password":"{}"', word('p@ss,word\\"q'), "password"),
    ("password: '{}'", word("ünïcödé1"), "password"),
    ("password='{}'", word("ab\\/cd12"), "password"),
    ('{"content":"password={}\\n"}', word("ab12\\u0026cd"), "password"),
    ("spring.datasource.password={}", word("Xk9$mmQ"), "password"),
    ('passphrase: "{}"', word("correct horse battery staple"), "passphrase"),
    ("jdbc:postgresql://h/db?user=a&password={}&ssl=true", word("q1w2e3r4"), "password"),
    ("Server=h;Database=d;User Id=sa;Password={};", word("Str0ng!Pass"), "password"),
    ("the password is {}.", weak, "password"),
    ("My API key is {}", key(), "api-key"),
    ("**API key:** `{}`", key(), "api-key"),
    ("| password | {} |", weak, "password"),
    ("<password>{}</password>", weak, "password"),
    ("<apiKey>{}</apiKey>", key(), "api-key"),
    # pairs of name and value
    ("- name: API_KEY\n  value: {}\n", key(), "api-key"),
    ('{"name":"DB_PASSWORD","value":"{}"}', weak, "password"),
    ('<add key="ApiKey" value="{}"/>', key(), "api-key"),
    # URLs
    ("postgres://admin:{}@db.example.org:5432/x", word("s3cr3t"), "url-password"),
    ("https://user:{}@host", word("passw0rt"), "url-password"),
    ("mongodb+srv://u:{}@c.example.net/", word("Ab1%40x"), "url-password"),
    ("redis://:{}@localhost:6379/0", word("foobared"), "url-password"),
    ("amqp:\\/\\/u:{}@h\\/v", word("pq9x"), "url-password"),
    ("https://{}@github.com/o/r.git", key(40), "url-token"),
    ("https://a.blob.core.windows.net/c?sv=2022&sig={}", lambda f: f.of(ALNUM, 40) + "%3D", "url-parameter"),
    ("https://maps.example.org/api?key={}&q=1", key(39), "url-parameter"),
    ("https://h.example.org/?access_token={}&x=1", key(24), "token"),
    # clouds
    ("aws_secret_access_key = {}", base64(40), "aws-secret-key"),
    ("AWS_SECRET_ACCESS_KEY={}", base64(40), "aws-secret-key"),
    ('"SecretAccessKey": "{}"', base64(40), "aws-secret-key"),
    ("aws_session_token={}", base64(300), "token"),
    (
        "AccountName=n;AccountKey={};EndpointSuffix=core.windows.net",
        lambda f: f.of(BASE64, 86) + "==",
        "azure-key",
    ),
    ("SharedAccessKeyName=R;SharedAccessKey={}", lambda f: f.of(BASE64, 43) + "=", "azure-key"),
    # command lines
    ("tool --password {} --user x", weak, "password"),
    ("tool --api-key={}", key(), "api-key"),
    ('tool --token "{}"', key(), "token"),
    ('["--password", "{}"]', weak, "password"),
    ("curl -u admin:{} https://h.example.org", weak, "user-option"),
    ('curl --user "admin:{}" https://h.example.org', weak, "user-option"),
    ("machine h login me password {}", weak, "netrc"),
    ("CREATE USER 'a'@'%' IDENTIFIED BY '{}';", weak, "sql-password"),
    ("ALTER USER a WITH PASSWORD '{}'", weak, "sql-password"),
    # the reasoning of a meta line
    ("pt=1 ct=2 tt=3 reas=I will use api_key={} now", key(), "api-key"),
]
