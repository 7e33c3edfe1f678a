/**
 * Loads the classes of a jar with Java bindings of MPI and determines their kind, for the back ends
 * of such jars. Start at {@link io.skerry.mpi.internal.jar.MpiJar}.
 */
package io.skerry.mpi.internal.jar;
