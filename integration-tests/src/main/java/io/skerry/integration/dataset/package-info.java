/** Cases of independent writes and of MPI hints, run by all ranks together. */
package io.skerry.integration.dataset;
