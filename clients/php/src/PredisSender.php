<?php

declare(strict_types=1);

namespace Leaderboard;

use Leaderboard\Errors\LeaderboardError;
use Predis\ClientInterface;
use Predis\Command\CommandInterface;
use Predis\Command\RawCommand;
use Predis\CommunicationException;
use Predis\Connection\ConnectionInterface;
use Predis\Connection\NodeConnectionInterface;
use Predis\Response\ErrorInterface;
use Predis\Response\Status;

/** Sends requests by predis: to a single server in one pipeline, to several servers one after another. */
final readonly class PredisSender implements Sender
{
    public function __construct(private ClientInterface $client)
    {
    }

    public function send(array $requests): array
    {
        $connection = $this->client->getConnection();
        if ($connection instanceof NodeConnectionInterface) {
            return self::pipelined($connection, array_map(self::command(...), $requests));
        }
        return array_map(static fn (Request $request) => self::alone($connection, $request), $requests);
    }

    /**
     * @param list<CommandInterface> $commands
     * @return list<mixed>
     */
    private static function pipelined(NodeConnectionInterface $connection, array $commands): array
    {
        $replies = [];
        try {
            foreach ($commands as $command) {
                $connection->writeRequest($command);
            }
            foreach ($commands as $command) {
                $replies[] = self::plain($connection->readResponse($command));
            }
            return $replies;
        } catch (CommunicationException $lost) {
            return array_pad($replies, count($commands), $lost);
        }
    }

    /** @param Request<mixed> $request */
    private static function alone(ConnectionInterface $connection, Request $request): mixed
    {
        $command = self::placed($connection, self::command($request), $request->key);
        try {
            $reply = $request->isRepeatable || !self::hasNodes($connection)
                ? $connection->executeCommand($command)
                : self::once($connection, $command, $request->key);
            return self::plain($reply);
        } catch (CommunicationException $lost) {
            return $lost;
        }
    }

    /** Whether predis knows which node a command goes to, and sends it again after a lost connection. */
    private static function hasNodes(ConnectionInterface $connection): bool
    {
        return method_exists($connection, 'getConnectionBySlot') || method_exists($connection, 'getMaster');
    }

    /**
     * Asks the node itself, so that predis does not send the command again after a lost connection. It may repeat the
     * TOUCH, and finds the node by it if a cluster has changed or there is a new primary.
     */
    private static function once(ConnectionInterface $connection, CommandInterface $command, ?string $key): mixed
    {
        $connection->executeCommand(self::placed($connection, RawCommand::create('TOUCH', $key), $key));
        $node = method_exists($connection, 'getMaster')
            ? $connection->getMaster()
            : $connection->getConnectionBySlot($command->getSlot());
        $reply = $node->executeCommand($command);
        $isElsewhere = $reply instanceof ErrorInterface && in_array($reply->getErrorType(), ['MOVED', 'ASK'], true);
        return $isElsewhere ? $connection->executeCommand($command) : $reply;
    }

    /** Gives a command its slot in a cluster: predis does not know where the keys of these commands are. */
    private static function placed(
        ConnectionInterface $connection,
        CommandInterface $command,
        ?string $key,
    ): CommandInterface {
        if ($key !== null && method_exists($connection, 'getClusterStrategy')) {
            $command->setSlot($connection->getClusterStrategy()->getSlotByKey($key));
        }
        return $command;
    }

    /** @param Request<mixed> $request */
    private static function command(Request $request): CommandInterface
    {
        return RawCommand::create(...$request->words);
    }

    private static function plain(mixed $reply): mixed
    {
        return match (true) {
            $reply instanceof ErrorInterface => LeaderboardError::of($reply->getMessage()),
            $reply instanceof Status => $reply->getPayload(),
            default => $reply,
        };
    }
}
