/** Object header messages of groups and their links. */
package io.skerry.format.message.group;
