/**
 * Input and output files of a command: checks before opening, output that is moved into place when
 * complete, walks over the datasets of a file.
 */
package io.skerry.jobs.file;
