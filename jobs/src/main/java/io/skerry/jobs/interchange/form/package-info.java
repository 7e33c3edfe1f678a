/**
 * The forms themselves: compressed rows or columns, coordinates, dense with a mask, Matrix Market
 * text.
 */
package io.skerry.jobs.interchange.form;
