<?php

declare(strict_types=1);

namespace Leaderboard\Tests;

/** A process that replies to the commands of the module what a test says, and tells which of them came in. */
final class FakeServer
{
    public readonly int $port;

    /** @var resource */
    private $process;

    /** @var resource */
    private $output;

    /** @param list<string> $replies the bytes of each; an empty one closes the connection */
    public function __construct(array $replies)
    {
        $pipes = [['pipe', 'r'], ['pipe', 'w']];
        $this->process = proc_open([PHP_BINARY, __DIR__ . '/fake-server.php'], $pipes, $opened);
        [$input, $this->output] = $opened;
        fwrite($input, implode("\n", array_map(base64_encode(...), $replies)) . "\n");
        fclose($input);
        $this->port = (int) fgets($this->output);
    }

    public function __destruct()
    {
        proc_terminate($this->process);
        proc_close($this->process);
    }

    /** @return list<list<string>> the commands that came in */
    public function received(): array
    {
        proc_terminate($this->process);
        $lines = array_filter(explode("\n", stream_get_contents($this->output)));
        return array_map(static fn ($line) => explode("\0", base64_decode($line)), array_values($lines));
    }
}
