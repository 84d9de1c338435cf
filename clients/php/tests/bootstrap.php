<?php

// Loads the client, predis and what the tests share.

declare(strict_types=1);

require __DIR__ . '/../autoload.php';
require 'Predis/Autoloader.php';

Predis\Autoloader::register();

spl_autoload_register(static function (string $class): void {
    if (str_starts_with($class, 'Leaderboard\\Tests\\')) {
        require __DIR__ . '/' . substr($class, strlen('Leaderboard\\Tests\\')) . '.php';
    }
});
