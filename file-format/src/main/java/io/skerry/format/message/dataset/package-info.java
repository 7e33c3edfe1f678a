/** Object header messages of datasets and attributes. */
package io.skerry.format.message.dataset;
