/**
 * Many threads on one open file: each does random things, knows what it has written, and finds out
 * whether what it reads can be.
 */
package io.skerry.testkit.crowd;
