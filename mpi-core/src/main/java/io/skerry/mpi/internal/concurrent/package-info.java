/** A striped use count that can be closed, and a watchdog for operations that hang. */
package io.skerry.mpi.internal.concurrent;
