/**
 * Random programs of collective steps, run on files and on an array model, which must agree element
 * by element. These programs test the whole path from {@link io.skerry.H5File} down rather than one
 * class. Start at {@link io.skerry.integration.randomprogram.RandomProgramRun}.
 */
package io.skerry.integration.randomprogram;
