// What pages do beyond links and forms. They work without it.
"use strict";
