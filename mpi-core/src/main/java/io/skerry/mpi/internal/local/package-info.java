/**
 * Back end whose ranks are threads of this JVM, with deadlock detection and reproducible schedules.
 * Start at {@link io.skerry.mpi.internal.local.LocalWorld}.
 */
package io.skerry.mpi.internal.local;
