/**
 * Back end whose ranks are threads of this JVM, with deadlock detection and replayable schedules.
 */
package io.skerry.mpi.internal.local;
