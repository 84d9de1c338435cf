<?php

// Loads the classes of this client in programs without composer.

declare(strict_types=1);

spl_autoload_register(static function (string $class): void {
    $file = __DIR__ . '/src/' . strtr(substr($class, strlen('Leaderboard\\')), '\\', '/') . '.php';
    if (str_starts_with($class, 'Leaderboard\\') && is_file($file)) {
        require $file;
    }
});
