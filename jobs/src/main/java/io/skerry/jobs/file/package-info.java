/**
 * Input and output files of a command: checks before opening, output that is moved into place when
 * complete, walks over the datasets of a file. Used by all subcommands except {@code mpi}. Start at
 * {@link io.skerry.jobs.file.InputFile} and {@link io.skerry.jobs.file.OutputFile}.
 */
package io.skerry.jobs.file;
