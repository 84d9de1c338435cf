<?php

// A server that replies to the commands of the module what a test says, and is its own sentinel. Reads the replies from
// the standard input, a line each in base64; an empty line closes the connection instead. Writes its port, and then the
// commands of the module that come in, a line each.

declare(strict_types=1);

/** @return list<string> the words of the next command; none if the connection is closed */
function command($connection): array
{
    $words = [];
    for ($left = (int) substr((string) fgets($connection), 1); $left > 0; $left--) {
        $length = (int) substr(fgets($connection), 1);
        $words[] = substr(stream_get_contents($connection, $length + 2), 0, -2);
    }
    return $words;
}

$replies = array_map(base64_decode(...), file('php://stdin', FILE_IGNORE_NEW_LINES));
$listener = stream_socket_server('tcp://127.0.0.1:0');
$port = (string) parse_url('tcp://' . stream_socket_get_name($listener, false), PHP_URL_PORT);
echo "$port\n";

$connections = [];
while (true) {
    $ready = [$listener, ...$connections];
    $none = null;
    stream_select($ready, $none, $none, null);
    foreach ($ready as $connection) {
        if ($connection === $listener) {
            $connections[] = stream_socket_accept($listener);
            continue;
        }
        $words = command($connection);
        $isOfModule = str_starts_with($words[0] ?? '', 'LB.');
        if ($isOfModule) {
            echo base64_encode(implode("\0", $words)), "\n";
        }
        $reply = match (true) {
            $words === [] => '',
            $isOfModule => array_shift($replies) ?? '',
            $words[0] === 'ROLE' => "*3\r\n$6\r\nmaster\r\n:0\r\n*0\r\n",
            $words[0] === 'SENTINEL' && $words[1] === 'slaves' => "*0\r\n",
            $words[0] === 'SENTINEL' => "*2\r\n$9\r\n127.0.0.1\r\n$5\r\n$port\r\n",
            default => "+OK\r\n",
        };
        fwrite($connection, $reply);
        if ($reply === '') {
            $connections = array_filter($connections, static fn ($other) => $other !== $connection);
            fclose($connection);
        }
    }
}
