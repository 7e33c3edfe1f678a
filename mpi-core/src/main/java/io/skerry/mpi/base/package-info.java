/**
 * What every back end shares: checks, the small conveniences, opening a file together and
 * independent file access. Not exported. Start at {@link io.skerry.mpi.base.CheckedCommunicator},
 * whose abstract methods are what a back end must do.
 */
package io.skerry.mpi.base;
