<?php

// A program that lets PHP convert the values of its calls. Returns the error for a score that is a float.

namespace Leaderboard\Tests;

use Leaderboard\Requests;

try {
    return Requests::add('game', 7.0, 'ann');
} catch (\TypeError $error) {
    return $error->getMessage();
}
