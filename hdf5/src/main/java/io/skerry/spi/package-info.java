/**
 * The interfaces that a store implements to keep groups, datasets and attributes, and the file that
 * programs get for it.
 */
package io.skerry.spi;
