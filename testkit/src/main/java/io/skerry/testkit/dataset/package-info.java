/**
 * Random operations on datasets of every datatype and storage, against a map in memory and a second
 * decoder of the bytes on disk. Where {@link io.skerry.testkit.trial} is about ranks, rounds and
 * many chunks of numbers, this is about values. Start at {@link
 * io.skerry.testkit.dataset.DatasetTrial}.
 */
package io.skerry.testkit.dataset;
