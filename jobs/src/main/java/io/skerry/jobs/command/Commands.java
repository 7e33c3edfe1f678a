package io.skerry.jobs.command;

import io.skerry.jobs.Skerry;
import io.skerry.jobs.copy.ConvertOptions;
import io.skerry.jobs.copy.RepackOptions;
import io.skerry.jobs.file.WholeFileOptions;
import io.skerry.jobs.inspect.DefinedOptions;
import io.skerry.jobs.inspect.DumpOptions;
import io.skerry.jobs.integrity.DigestOptions;
import io.skerry.jobs.interchange.ExportOptions;
import io.skerry.jobs.interchange.ImportOptions;
import io.skerry.jobs.lcls.LclsOptions;
import io.skerry.jobs.mpi.MpiOptions;
import io.skerry.jobs.pca.PcaOptions;
import io.skerry.jobs.stat.StatOptions;

/**
 * What the subcommands do, apart from how their arguments are read. Each method runs on every rank
 * and returns the exit code: 0 for success, 1 for a failure that has already been reported. An
 * exception is reported by {@link Skerry}, on the first rank only, and ends in exit code 1.
 */
public interface Commands {
  /** Writes frames into a sparse file, reads them back and reports. Collective over all ranks. */
  int lcls(LclsOptions options);

  /** Tells what carries the messages. Collective over all ranks; 2 without a usable library. */
  int mpi(MpiOptions options);

  /** Prints the tree of a file. */
  int ls(WholeFileOptions asked);

  /** Prints which elements of a dataset are defined. */
  int defined(DefinedOptions options);

  /** Prints a digest of the content of a file; 1 if some of it could not be read. */
  int digest(DigestOptions options);

  /** Prints the values of a dataset or attribute. */
  int dump(DumpOptions options);

  /** Prints what datasets take in a file; 1 if some of it could not be read. */
  int stat(StatOptions options);

  /** Rewrites a file. Collective over all ranks. */
  int repack(RepackOptions options);

  /** Copies a dense dataset as a sparse one, or back. Collective over all ranks. */
  int convert(ConvertOptions options);

  /** Writes a dataset in a form that other programs read. */
  int exportTo(ExportOptions options);

  /** Makes a sparse dataset of data in another form. */
  int importFrom(ImportOptions options);

  /** Finds the principal components of frames. Collective over all ranks. */
  int pca(PcaOptions options);

  /** Checks every structure and chunk of a file; 1 if something is wrong. */
  int verify(WholeFileOptions asked);

  /** Finishes or discards an interrupted flush. */
  int recover(WholeFileOptions asked);

  /** Opens a file again whose flush ended in the middle and whose journal is lost. */
  int recoverWithoutJournal(WholeFileOptions asked);
}
