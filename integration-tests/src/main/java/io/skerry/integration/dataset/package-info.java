/** Cases of independent writes and of MPI hints that all ranks run together. */
package io.skerry.integration.dataset;
