/** Starts Java programs in child processes, under {@code mpirun}, or under MPJ Express. */
package io.skerry.testkit.launch;
