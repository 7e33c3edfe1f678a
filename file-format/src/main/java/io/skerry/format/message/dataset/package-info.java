/**
 * Object header messages of datasets and attributes, one class per message type. Start at {@link
 * io.skerry.format.message.dataset.AttributeMessage}, which contains a datatype message and a
 * dataspace message.
 */
package io.skerry.format.message.dataset;
